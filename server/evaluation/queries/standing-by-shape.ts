import { standingStates } from '#server/mobility/cubes/cube-columns.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { Placing } from '../ask-by-shape.ts'
import type { Posed } from '../modes/mode.ts'
import { askedPieces } from './asked-pieces.ts'
import { factConditions } from './fact-conditions.ts'
import { instant, msOf } from '#server/stores/instant.ts'
import { sumsByShape } from '#server/mobility/sums-by-shape.ts'

/** Ms in each state in which a vehicle stands at a place. */
export const standingSums = standingStates.map((state) => `${state}_ms`)

/** From when to when vehicles stood, up to now: a vehicle leaves the count once it has been silent for lostAfterHours. */
function standing({ filters, time, lostAfterHours, now }: Posed): Sql {
  const lost = sql`toIntervalHour(${bind('UInt32', lostAfterHours)})`
  return sql`
  select operator, state, lon, lat, ${msOf(sql`from_time`)} as begins, least(${msOf(sql`least(to_time, from_time + ${lost})`)}, ${bind('Int64', String(now))}) as ends
  from ${latest('vehicle_intervals')}
  where ${factConditions(filters)} and state in ${bind('Array(String)', standingStates)}
    and from_time < ${instant(time.until)} and from_time > ${instant(time.from)} - ${lost} and to_time > ${instant(time.from)}`
}

/** Time that vehicles stood by shape, by state; by operator where it is not by bucket. */
export function standingByShape(posed: Posed, placing: Placing): Sql {
  const { time, bucket } = posed
  const key = bucket ? 'bucket' : 'operator'
  const states = joinSql(
    standingStates.map(
      (state) =>
        sql`if(state = ${bind('String', state)}, part_ends - part_begins, 0) as ${identifier(`${state}_ms`)}`,
    ),
    ', ',
  )
  return sumsByShape({
    facts: sql`select lon, lat, ${identifier(key)}, ${states} from (${askedPieces(standing(posed), time, bucket)})`,
    keys: [key],
    sums: standingSums,
    ...placing,
  })
}
