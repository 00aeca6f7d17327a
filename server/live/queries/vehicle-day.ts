import { instant } from '#server/stores/instant.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'

/** One vehicle's day: from its first moment until now, ms. */
export interface VehicleDayQuery {
  regionId: string
  operator: string
  deviceId: string
  from: number
  until: number
  /** Intervals that began longer ago are ignored, ms. */
  reach: number
}

const vehicle = ({ regionId, operator, deviceId }: VehicleDayQuery): Sql =>
  sql`region_id = ${bind('String', regionId)} and operator = ${bind('String', operator)} and device_id = ${bind('UUID', deviceId)}`
const place = sql`if(isFinite(lon), lon, null) as lon, if(isFinite(lat), lat, null) as lat, if(isFinite(battery), battery, null) as battery`

export interface IntervalRow {
  from: string
  to: string
  state: string
  event_types: string[]
  lon: number | null
  lat: number | null
  battery: number | null
}

/** The state intervals that reach into the day. */
export const dayIntervals = (ask: VehicleDayQuery): Sql => sql`
  select toString(toUnixTimestamp64Milli(from_time)) as from, toString(toUnixTimestamp64Milli(to_time)) as to, state, event_types, ${place}
  from ${latest('vehicle_intervals')}
  where ${vehicle(ask)} and from_time >= ${instant(ask.from - ask.reach)} and from_time <= ${instant(ask.until)} and to_time > ${instant(ask.from)}
  order by from_time`

export interface EventRow {
  time: string
  state: string
  event_types: string[]
  lon: number | null
  lat: number | null
  battery: number | null
}

export const dayEvents = (ask: VehicleDayQuery): Sql => sql`
  select toString(toUnixTimestamp64Milli(event_time)) as time, state, event_types, ${place}
  from ${latest('vehicle_events')}
  where ${vehicle(ask)} and superseded = 0 and event_time >= ${instant(ask.from)} and event_time <= ${instant(ask.until)}
  order by event_time, turn, event_id`

export interface TripRow {
  trip_id: string
  start: string
  end: string | null
  distance_m: number | null
  duration_s: number | null
}

/** The trips of the day; those of feeds name the vehicle by its device id. */
export const dayTrips = (ask: VehicleDayQuery): Sql => sql`
  select toString(trip_id) as trip_id, toString(toUnixTimestamp64Milli(start_time)) as start, if(end_time is null, null, toString(toUnixTimestamp64Milli(assumeNotNull(end_time)))) as end,
    if(isFinite(distance_m), distance_m, null) as distance_m, if(isFinite(duration_s), duration_s, null) as duration_s
  from ${latest('trips')}
  where region_id = ${bind('String', ask.regionId)} and operator = ${bind('String', ask.operator)} and local_date >= toDate(${instant(ask.from)}) - 1 and vehicle_id = ${bind('String', ask.deviceId)}
    and start_time >= ${instant(ask.from)} and start_time <= ${instant(ask.until)}
  order by start_time`

export const registration = (ask: VehicleDayQuery): Sql =>
  sql`select propulsion_types from ${latest('vehicles')} where ${vehicle(ask)}`
