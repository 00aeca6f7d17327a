import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'

export interface ExtentRow {
  trips: string
  first_day: string
  last_day: string
  operators: string[]
  vehicle_types: string[]
}

/** First and last day, operators and vehicle types of a region's trips. */
export const tripsExtent = (regionId: string): Sql =>
  sql`select count() as trips, min(local_date) as first_day, max(local_date) as last_day, arraySort(groupUniqArray(operator)) as operators, arraySort(groupUniqArray(vehicle_type)) as vehicle_types
from ${latest('trips')} where region_id = ${bind('String', regionId)}`
