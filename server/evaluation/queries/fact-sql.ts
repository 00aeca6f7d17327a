import type { Filters } from '#server/fleet/trip-filter-sql.ts'
import { bind, joinSql, type Sql, sql } from '#server/stores/sql.ts'

/** Returns conditions on region, operators and vehicle type, which every fact table has as columns. */
export function factConditions({
  region_id,
  operators,
  vehicle_type,
  vehicle_types,
}: Pick<Filters, 'region_id' | 'operators' | 'vehicle_type' | 'vehicle_types'>): Sql {
  const conditions = [sql`region_id = ${bind('String', region_id)}`]
  if (operators.length) conditions.push(sql`operator in ${bind('Array(String)', operators)}`)
  if (vehicle_type) conditions.push(sql`vehicle_type = ${bind('String', vehicle_type)}`)
  else if (vehicle_types?.length)
    conditions.push(sql`vehicle_type in ${bind('Array(String)', vehicle_types)}`)
  return joinSql(conditions, ' and ')
}

/** Builds SQL for count, first and last local day, operators and types of rows (`first_at`, `last_at`: ms). */
export const extentSql = (rows: Sql, timezone: string): Sql => {
  const localDaySql = (ms: Sql): Sql =>
    sql`toString(toDate(toTimeZone(toDateTime(intDiv(${ms}, 1000), 'UTC'), ${bind('String', timezone)})))`
  return sql`
  select
    count() as facts,
    ${localDaySql(sql`min(first_at)`)} as first_day,
    ${localDaySql(sql`max(last_at)`)} as last_day,
    arraySort(groupUniqArray(operator)) as operators,
    arraySort(groupUniqArray(vehicle_type)) as vehicle_types
  from (${rows})`
}
