import { toDateTime } from '#server/stores/date-time.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'

/** A vehicle and the part of its day to read, in ms since 1970. */
export interface VehicleDayQuery {
  regionId: string
  operator: string
  deviceId: string
  from: number
  until: number
  /** Intervals that began more than this before `from` are not read, which limits the scan. */
  maxIntervalMs: number
}

const vehicleCondition = ({ regionId, operator, deviceId }: VehicleDayQuery): Sql =>
  sql`
    region_id = ${bind('String', regionId)}
    and operator = ${bind('String', operator)}
    and device_id = ${bind('UUID', deviceId)}`
const placeAndBatteryColumns = sql`
  if(isFinite(lon), lon, null) as lon,
  if(isFinite(lat), lat, null) as lat,
  if(isFinite(battery), battery, null) as battery`

export interface IntervalRow {
  from: string
  to: string
  state: string
  event_types: string[]
  lon: number | null
  lat: number | null
  battery: number | null
}

/** Builds SQL for the state intervals that overlap the day. */
export const dayIntervalsSql = (query: VehicleDayQuery): Sql => sql`
  select
    toString(toUnixTimestamp64Milli(from_time)) as from,
    toString(toUnixTimestamp64Milli(to_time)) as to,
    state,
    event_types,
    ${placeAndBatteryColumns}
  from ${latest('vehicle_intervals')}
  where
    ${vehicleCondition(query)}
    and from_time >= ${toDateTime(query.from - query.maxIntervalMs)}
    and from_time <= ${toDateTime(query.until)}
    and to_time > ${toDateTime(query.from)}
  order by from_time`

export interface EventRow {
  time: string
  state: string
  event_types: string[]
  lon: number | null
  lat: number | null
  battery: number | null
}

/** Builds SQL for the events of a vehicle on a day, oldest first. */
export const dayEventsSql = (query: VehicleDayQuery): Sql => sql`
  select toString(toUnixTimestamp64Milli(event_time)) as time, state, event_types, ${placeAndBatteryColumns}
  from ${latest('vehicle_events')}
  where
    ${vehicleCondition(query)}
    and superseded = 0
    and event_time >= ${toDateTime(query.from)}
    and event_time <= ${toDateTime(query.until)}
  order by event_time, turn, event_id`

export interface TripRow {
  trip_id: string
  start: string
  end: string | null
  distance_m: number | null
  duration_s: number | null
}

/** Builds SQL for the trips that started that day. Trips of feeds have the device id as their vehicle id. */
export const dayTripsSql = (query: VehicleDayQuery): Sql => sql`
  select
    toString(trip_id) as trip_id,
    toString(toUnixTimestamp64Milli(start_time)) as start,
    if(end_time is null, null, toString(toUnixTimestamp64Milli(assumeNotNull(end_time)))) as end,
    if(isFinite(distance_m), distance_m, null) as distance_m,
    if(isFinite(duration_s), duration_s, null) as duration_s
  from ${latest('trips')}
  where
    region_id = ${bind('String', query.regionId)}
    and operator = ${bind('String', query.operator)}
    -- limits the scan by the sorting key: the local date may be one before the date in UTC
    and local_date >= toDate(${toDateTime(query.from)}) - 1
    and vehicle_id = ${bind('String', query.deviceId)}
    and start_time >= ${toDateTime(query.from)}
    and start_time <= ${toDateTime(query.until)}
  order by start_time`

/** Builds SQL for the propulsion types with which a vehicle was registered. */
export const vehicleRegistrationSql = (query: VehicleDayQuery): Sql =>
  sql`select propulsion_types from ${latest('vehicles')} where ${vehicleCondition(query)}`
