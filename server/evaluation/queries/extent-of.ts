import { bind, type Sql, sql } from '#server/stores/sql.ts'

/** Number, first and last local day, operators and vehicle types of rows with `first_at` and `last_at` (ms). */
export const extentOf = (rows: Sql, timezone: string): Sql => {
  const day = (ms: Sql): Sql =>
    sql`toString(toDate(toTimeZone(toDateTime(intDiv(${ms}, 1000), 'UTC'), ${bind('String', timezone)})))`
  return sql`
  select count() as facts, ${day(sql`min(first_at)`)} as first_day, ${day(sql`max(last_at)`)} as last_day, arraySort(groupUniqArray(operator)) as operators, arraySort(groupUniqArray(vehicle_type)) as vehicle_types
  from (${rows})`
}
