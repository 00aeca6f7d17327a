import { dayMs } from '#contract/period.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, facts, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { Span } from '../../queries/fact-rows.ts'
import { getUtcDayStart, operatorDayArray, type OperatorDay, toUtcDay } from '../../queries/speed-rows.ts'

/** A UTC day on which an operator sent telemetry, or the day after. */
export interface SpeedDay extends OperatorDay {
  /**
   * A hash of all versions of the telemetry of this day and the day before, because the last places of a day
   * give the first speeds of the next one.
   */
  tally: string
  /** The stored build with this tally; '0' if there is none. */
  build: string
}

const telemetryDayRows = (regionId: string, { from, until }: Span): Sql => sql`
  select
    operator,
    toDate(time) as telemetry_day,
    count() as places,
    sum(version) as versions
  from ${facts('telemetry')}
  where region_id = ${bind('String', regionId)}
    and time >= ${toDateTime(from - dayMs)}
    and time < ${toDateTime(until)}
  group by operator, telemetry_day`

const tallyRows = (regionId: string, span: Span): Sql => sql`
  with
    -- each day of telemetry counts for itself and for the next day
    days_with_telemetry as (
      select operator, arrayJoin([telemetry_day, telemetry_day + 1]) as day, telemetry_day, places, versions
      from (${telemetryDayRows(regionId, span)})
    )
  select operator, day, cityHash64(arraySort(groupArray((telemetry_day, places, versions)))) as tally
  from days_with_telemetry
  group by operator, day`

/** Builds SQL for the UTC days of a span with telemetry. */
export const speedDayRows = (regionId: string, span: Span): Sql => {
  const firstDay = toUtcDay(span.from)
  const lastDay = toUtcDay(span.until - 1)
  const fullDays = { from: getUtcDayStart(firstDay), until: getUtcDayStart(lastDay) + dayMs }
  return sql`
  with
    stored_days as (
      select operator, day, build, tally
      from ${latest('ride_speed_days')}
      where region_id = ${bind('String', regionId)}
        and day between ${bind('Date', firstDay)} and ${bind('Date', lastDay)}
    )
  select
    current.operator as operator,
    toString(current.day) as day,
    toString(current.tally) as tally,
    toString(if(stored.tally = current.tally, stored.build, 0)) as build
  from (${tallyRows(regionId, fullDays)}) as current
  left join stored_days as stored
    on stored.operator = current.operator and stored.day = current.day
  where current.day between ${bind('Date', firstDay)} and ${bind('Date', lastDay)}
  order by day, operator`
}

/** Builds SQL for outdated builds of days that still have rows. */
export function staleBuildRows(regionId: string, days: readonly OperatorDay[]): Sql {
  const dates = days.map(({ day }) => day)
  return sql`
  with
    stale_builds as (
      select distinct operator, day, build
      from ${facts('ride_speeds')}
      where region_id = ${bind('String', regionId)}
        and (operator, day) in (select arrayJoin(${operatorDayArray(days)}))
        -- for the sorting key
        and day in ${bind('Array(Date)', dates)}
        and (operator, day, build) not in (
          select operator, day, build
          from ${latest('ride_speed_days')}
          where region_id = ${bind('String', regionId)}
        )
    )
  select operator, toString(stale.day) as day, toString(stale.build) as build
  from stale_builds as stale`
}

export const newestBuildSql = (regionId: string): Sql =>
  sql`
    select toString(max(build)) as build
    from ${facts('ride_speed_days')}
    where region_id = ${bind('String', regionId)}`
