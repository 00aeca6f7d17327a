import { maxRecentTrips } from '#contract/evaluation.ts'
import { maxParkingEvents } from '#contract/parking.ts'
import { type Filters, tripFilterCondition } from '#server/fleet/trip-filter-sql.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { bind, identifier, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { QueryTime } from '../query-time.ts'
import { selectMoments } from './split-by-time.ts'

/** Builds SQL for the known origins or destinations of the most recent trips, newest first: `lon`, `lat`. */
export function recentTripPlacesSql(filters: Filters, location: 'origin' | 'destination'): Sql {
  const endpoint = location === 'origin' ? 'start' : 'end'
  return sql`
  select ${identifier(`${endpoint}_lon`)} as lon, ${identifier(`${endpoint}_lat`)} as lat
  from ${latest('trips')}
  where ${tripFilterCondition(filters)} and isFinite(lon) and isFinite(lat)
  order by start_time desc, trip_id
  limit ${bind('UInt32', maxRecentTrips)}`
}

export interface RecentParkingQuery {
  regionId: string
  operators: readonly string[]
  vehicleTypes: readonly string[]
  time: QueryTime
  /** Minimum duration in minutes. Open events last until `now`. */
  parkedMinutes: number
  now: number
}

/** Builds SQL for places of the most recent parking events, newest first: `startLon`, `startLat`. */
export function recentParkingPlacesSql({
  regionId,
  operators,
  vehicleTypes,
  time,
  parkedMinutes,
  now,
}: RecentParkingQuery): Sql {
  const lengthSql = sql`least(toInt64(${toMilliseconds(sql`to_time`)}), ${bind('Int64', String(now))}) - at`
  const events = sql`
  select lon, lat, operator, device_id, ${toMilliseconds(sql`from_time`)} as at
  from ${latest('parking_events')}
  where region_id = ${bind('String', regionId)}
    and from_time >= ${toDateTime(time.from)} and from_time < ${toDateTime(time.until)} and isFinite(lon) and isFinite(lat)
    ${operators.length ? sql`and operator in ${bind('Array(String)', operators)}` : sql``}
    ${vehicleTypes.length ? sql`and vehicle_type in ${bind('Array(String)', vehicleTypes)}` : sql``}
    ${parkedMinutes > 0 ? sql`and ${lengthSql} >= ${bind('Int64', parkedMinutes * 60_000)}` : sql``}`
  return sql`
  select lon as startLon, lat as startLat
  from (${selectMoments(events, time, null)})
  order by at desc, operator, device_id
  limit ${bind('UInt32', maxParkingEvents)}`
}
