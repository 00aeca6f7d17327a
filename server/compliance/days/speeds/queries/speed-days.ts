import { instant } from '#server/stores/instant.ts'
import { bind, facts, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { Span } from '../../queries/fact-rows.ts'
import { beginOf, dayMs, listOf, type OperatorDay, utcDay } from '../../queries/speed-rows.ts'

/** A UTC day on which an operator told where vehicles were, or the day after. `tally` is made of all versions of all that was told then and on the day before, whose last places tell speeds of its first; `build`: which of the kept ones is made of this; '0': none. */
export interface SpeedDay extends OperatorDay {
  tally: string
  build: string
}

const told = (regionId: string, { first, last }: Span): Sql => sql`
  select operator, toDate(time) as told_day, count() as places, sum(version) as versions
  from ${facts('telemetry')}
  where region_id = ${bind('String', regionId)} and time >= ${instant(first - dayMs)} and time < ${instant(last)}
  group by operator, told_day`

const tallies = (regionId: string, span: Span): Sql => sql`
  select operator, day, cityHash64(arraySort(groupArray((told_day, places, versions)))) as tally
  from (select operator, arrayJoin([told_day, told_day + 1]) as day, told_day, places, versions from (${told(regionId, span)}))
  group by operator, day`

/** Days with telemetry, from the UTC day of a span's first moment to that of its last. */
export const speedDays = (regionId: string, span: Span): Sql => {
  const [first, last] = [utcDay(span.first), utcDay(span.last - 1)]
  const whole = { first: beginOf(first), last: beginOf(last) + dayMs }
  return sql`
  select there.operator as operator, toString(there.day) as day, toString(there.tally) as tally, toString(if(kept.tally = there.tally, kept.build, 0)) as build
  from (${tallies(regionId, whole)}) as there
  left join (select operator, day, build, tally from ${latest('ride_speed_days')} where region_id = ${bind('String', regionId)} and day between ${bind('Date', first)} and ${bind('Date', last)}) as kept
    on kept.operator = there.operator and kept.day = there.day
  where there.day between ${bind('Date', first)} and ${bind('Date', last)}
  order by day, operator`
}

/** Builds of some days that no longer stand, with rows. */
export const staleBuilds = (regionId: string, days: readonly OperatorDay[]): Sql => sql`
  select operator, toString(stale.day) as day, toString(stale.build) as build
  from (
    select distinct operator, day, build from ${facts('ride_speeds')}
    where region_id = ${bind('String', regionId)} and (operator, day) in (select arrayJoin(${listOf(days)})) and day in ${bind(
      'Array(Date)',
      days.map(({ day }) => day),
    )}
      and (operator, day, build) not in (select operator, day, build from ${latest('ride_speed_days')} where region_id = ${bind('String', regionId)})
  ) as stale`

/** The newest build of a region. */
export const newestBuild = (regionId: string): Sql =>
  sql`select toString(max(build)) as build from ${facts('ride_speed_days')} where region_id = ${bind('String', regionId)}`
