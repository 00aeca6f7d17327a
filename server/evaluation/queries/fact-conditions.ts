import type { Filters } from '#server/mobility/trip-filter-sql.ts'
import { bind, joinSql, type Sql, sql } from '#server/stores/sql.ts'

/** Region, operators and vehicle type, over the columns of any fact. */
export function factConditions({
  region_id,
  operators,
  vehicle_type,
}: Pick<Filters, 'region_id' | 'operators' | 'vehicle_type'>): Sql {
  const conditions = [sql`region_id = ${bind('String', region_id)}`]
  if (operators.length) conditions.push(sql`operator in ${bind('Array(String)', operators)}`)
  if (vehicle_type) conditions.push(sql`vehicle_type = ${bind('String', vehicle_type)}`)
  return joinSql(conditions, ' and ')
}
