import { bind, facts, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import { cubeSums } from '../cube-columns.ts'

/** Local days of the shapes of a list. */
export interface DaysAsked {
  regionId: string
  timezone: string
  /** Days since 1970. */
  days: readonly number[]
  /** Their hours, ms, half open. */
  from: number
  until: number
  /** In cube_shapes. */
  listId: string
  version: bigint
}

const moment = (ms: number): Sql => sql`toDateTime(${bind('Int64', Math.floor(ms / 1000))}, 'UTC')`
const keysOf = ({ regionId, listId }: DaysAsked): Sql =>
  sql`select shape_key from ${facts('cube_shapes')} where region_id = ${bind('String', regionId)} and list_id = ${bind('UUID', listId)}`

const sums = (of: (name: string) => Sql): Sql =>
  joinSql(
    cubeSums.map((name) => sql`${of(name)} as ${identifier(name)}`),
    ', ',
  )

/** The rows of shape_days of the asked days, out of their hours; those that were there and are not found again come with zeros. */
export function shapeDaysOf(asked: DaysAsked): Sql {
  const [region, days] = [bind('String', asked.regionId), bind('Array(UInt16)', asked.days)]
  // Behind bitXor the engine does not see that a condition is on the table's own time (as askedMoments has it).
  const day = sql`toDate(toTimeZone(toDateTime(bitXor(toUnixTimestamp(shape_hour.hour), 0), 'UTC'), ${bind('String', asked.timezone)}))`
  const hours = sql`
  select shape_key, ${day} as day, operator, vehicle_type, ${sums((name) => sql`toUInt64(shape_hour.${identifier(name)})`)}
  from ${latest('shape_hours')} as shape_hour
  where region_id = ${region} and shape_hour.hour >= ${moment(asked.from)} and shape_hour.hour < ${moment(asked.until)} and shape_key in (${keysOf(asked)}) and toUInt16(day) in ${days}`
  const before = sql`
  select shape_key, shape_day.day as day, operator, vehicle_type, ${sums(() => sql`toUInt64(0)`)}
  from ${latest('shape_days')} as shape_day
  where region_id = ${region} and shape_key in (${keysOf(asked)}) and toUInt16(shape_day.day) in ${days}`
  return sql`
  select ${region}, shape_key, day, operator, vehicle_type, ${joinSql(
    cubeSums.map((name) => sql`sum(part.${identifier(name)})`),
    ', ',
  )}, ${bind('UInt64', String(asked.version))}
  from (${hours} union all ${before}) as part
  group by shape_key, day, operator, vehicle_type`
}
