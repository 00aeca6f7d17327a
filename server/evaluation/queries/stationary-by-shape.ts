import { stationaryStates } from '#server/mobility/cubes/cube-columns.ts'
import { lostRule } from '#server/regions/lost-vehicles.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { ShapeLookup } from '../shape-queries.ts'
import type { QueryContext } from '../modes/mode.ts'
import { splitByTime } from './split-by-time.ts'
import { factConditions } from './fact-conditions.ts'
import { instant, msOf } from '#server/stores/instant.ts'
import { sumsByShape } from '#server/mobility/sums-by-shape.ts'

/** Ms in each state in which a vehicle stands at a place. */
export const stationarySums = stationaryStates.map((state) => `${state}_ms`)

/** From when to when vehicles stood, up to now: a vehicle leaves the count once it has been silent for lostAfterHours. */
function stationaryIntervals({ filters, time, lostAfterHours, now }: QueryContext): Sql {
  const rule = lostRule(lostAfterHours)
  return sql`
  select operator, state, lon, lat, ${msOf(sql`from_time`)} as begins, least(${msOf(sql`least(to_time, ${rule.lostAt(sql`from_time`)})`)}, ${bind('Int64', String(now))}) as ends
  from ${latest('vehicle_intervals')}
  where ${factConditions(filters)} and state in ${bind('Array(String)', stationaryStates)}
    and from_time < ${instant(time.until)} and ${rule.hasContact(sql`from_time`, instant(time.from))} and to_time > ${instant(time.from)}`
}

/** Time that vehicles stood by shape, by state; by operator where it is not by bucket. */
export function stationaryByShape(context: QueryContext, lookup: ShapeLookup): Sql {
  const { time, bucket } = context
  const key = bucket ? 'bucket' : 'operator'
  const states = joinSql(
    stationaryStates.map(
      (state) =>
        sql`if(state = ${bind('String', state)}, part_ends - part_begins, 0) as ${identifier(`${state}_ms`)}`,
    ),
    ', ',
  )
  return sumsByShape({
    facts: sql`select lon, lat, ${identifier(key)}, ${states} from (${splitByTime(stationaryIntervals(context), time, bucket)})`,
    keys: [key],
    sums: stationarySums,
    ...lookup,
  })
}
