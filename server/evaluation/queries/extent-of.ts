import { bind, type Sql, sql, latest } from '#server/stores/sql.ts'
import { stationaryStates } from '#server/mobility/cubes/cube-columns.ts'
import { msOf } from '#server/stores/instant.ts'

/** Number, first and last local day, operators and vehicle types of rows with `first_at` and `last_at` (ms). */
export const extentOf = (rows: Sql, timezone: string): Sql => {
  const day = (ms: Sql): Sql =>
    sql`toString(toDate(toTimeZone(toDateTime(intDiv(${ms}, 1000), 'UTC'), ${bind('String', timezone)})))`
  return sql`
  select count() as facts, ${day(sql`min(first_at)`)} as first_day, ${day(sql`max(last_at)`)} as last_day, arraySort(groupUniqArray(operator)) as operators, arraySort(groupUniqArray(vehicle_type)) as vehicle_types
  from (${rows})`
}

/** First and last day on which vehicles of a region came to stand, and whose. */
export const stationaryExtent = (regionId: string, timezone: string): Sql =>
  extentOf(
    sql`select operator, vehicle_type, ${msOf(sql`from_time`)} as first_at, first_at as last_at from ${latest('vehicle_intervals')} where region_id = ${bind('String', regionId)} and state in ${bind('Array(String)', stationaryStates)}`,
    timezone,
  )
