import { maxParkingEvents } from '#contract/parking.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { QueryTime } from '../query-time.ts'
import { selectMoments } from './split-by-time.ts'
import { instant, msOf } from '#server/stores/instant.ts'

/** Rests of a question for their places. */
export interface ParkingPlaces {
  regionId: string
  operators: readonly string[]
  vehicleTypes: readonly string[]
  time: QueryTime
  /** Minutes that they lasted at least until now. */
  parkedMinutes: number
  now: number
}

/** Places of the newest rests that have one, newest first. */
export function newestParkingPlaces({
  regionId,
  operators,
  vehicleTypes,
  time,
  parkedMinutes,
  now,
}: ParkingPlaces): Sql {
  const length = sql`least(toInt64(${msOf(sql`to_time`)}), ${bind('Int64', String(now))}) - at`
  const parkingEvents = sql`
  select lon, lat, operator, device_id, ${msOf(sql`from_time`)} as at from ${latest('parking_events')}
  where region_id = ${bind('String', regionId)} and from_time >= ${instant(time.from)} and from_time < ${instant(time.until)} and isFinite(lon) and isFinite(lat)
    ${operators.length ? sql`and operator in ${bind('Array(String)', operators)}` : sql``}
    ${vehicleTypes.length ? sql`and vehicle_type in ${bind('Array(String)', vehicleTypes)}` : sql``}
    ${parkedMinutes > 0 ? sql`and ${length} >= ${bind('Int64', parkedMinutes * 60_000)}` : sql``}`
  return sql`select lon as startLon, lat as startLat from (${selectMoments(parkingEvents, time, null)}) order by at desc, operator, device_id limit ${bind('UInt32', maxParkingEvents)}`
}
