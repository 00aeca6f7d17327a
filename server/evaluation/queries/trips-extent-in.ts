import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'

/** As the extents of the other maps; the local days of trips are stored. */
export const tripsExtentIn = (regionId: string): Sql =>
  sql`select count() as facts, toString(min(local_date)) as first_day, toString(max(local_date)) as last_day, arraySort(groupUniqArray(operator)) as operators, arraySort(groupUniqArray(vehicle_type)) as vehicle_types
from ${latest('trips')} where region_id = ${bind('String', regionId)}`
