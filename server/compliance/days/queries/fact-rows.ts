import type { VehicleState } from '#contract/vehicle-states.ts'
import { instant, msOf } from '#server/stores/instant.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { type Asked, ruleConditions } from './rule-conditions.ts'

/** From when to when facts are looked for, ms. */
export interface Span {
  first: number
  last: number
}

const ms = (value: number): Sql => sql`${bind('Int64', String(value))}`
const none = sql`toUUID('00000000-0000-0000-0000-000000000000')`

/** Vehicles in some states, up to now and until each has been silent for lostAfterHours: one row with `begins` and `ends` for each stretch. */
export function standingRows(asked: Asked, { first, last }: Span, states: readonly VehicleState[]): Sql {
  const lost = sql`toIntervalHour(${bind('UInt32', asked.lostAfterHours)})`
  return sql`
  select operator, device_id, vehicle_type, event_id as fact_id, ${none} as trip_id, ${msOf(sql`from_time`)} as begins, least(${msOf(sql`least(to_time, from_time + ${lost})`)}, ${ms(asked.now)}) as ends, lon, lat, accuracy
  from ${latest('vehicle_intervals')}
  where ${ruleConditions(asked)} and state in ${bind('Array(String)', states)}
    and from_time < ${instant(last)} and from_time > ${instant(first)} - ${lost} and to_time > ${instant(first)}`
}

/** Parking events that begin in a span; `length` in ms up to now, `goes_on` where it does. */
export const parkingRows = (asked: Asked, { first, last }: Span): Sql => sql`
  select operator, device_id, vehicle_type, event_id as fact_id, ${none} as trip_id, ${msOf(sql`from_time`)} as begins, least(${msOf(sql`to_time`)}, ${ms(asked.now)}) as ends, lon, lat, accuracy,
    ends - begins as length, ended = 0 and ${msOf(sql`to_time`)} > ${ms(asked.now)} as goes_on
  from ${latest('parking_events')}
  where ${ruleConditions(asked)} and from_time >= ${instant(first)} and from_time < ${instant(Math.min(last, asked.now + 1))}`

/** Events by which an operator put a vehicle down. */
export const dropOffRows = (asked: Asked, { first, last }: Span): Sql => sql`
  select * from (
    select event.region_id as region_id, event.operator as operator, event.device_id as device_id, if(vehicle.vehicle_type = '', 'other', vehicle.vehicle_type) as vehicle_type, event.event_id as fact_id, ${none} as trip_id,
      ${msOf(sql`event.event_time`)} as begins, toInt64(0) as ends, event.lon as lon, event.lat as lat, event.accuracy as accuracy
    from (
      select * from ${latest('vehicle_events')}
      where region_id = ${bind('String', asked.regionId)} and superseded = 0 and has(event_types, 'provider_drop_off') and event_time >= ${instant(first)} and event_time < ${instant(Math.min(last, asked.now + 1))}
    ) as event
    left join (select operator, device_id, vehicle_type from ${latest('vehicles')} where region_id = ${bind('String', asked.regionId)}) as vehicle on vehicle.operator = event.operator and vehicle.device_id = event.device_id
  )
  where ${ruleConditions(asked)}`

/** Trips that start in a span; their vehicle by device id, or by what a file calls it. */
export const tripRows = (asked: Asked, { first, last }: Span, daysBack = 1): Sql => sql`
  select operator, vehicle_id as device_id, vehicle_type, trip_id as fact_id, trip_id, ${msOf(sql`start_time`)} as begins, ${msOf(sql`ifNull(end_time, start_time)`)} as ends, isNotNull(end_time) as has_end, start_lon as lon, start_lat as lat, end_lon, end_lat, toFloat32(nan) as accuracy
  from ${latest('trips')}
  where ${ruleConditions(asked, sql`toUUIDOrZero(vehicle_id)`)} and local_date between toDate(${instant(first)}) - ${bind('UInt16', daysBack)} and toDate(${instant(last)}) + 1
    and start_time < ${instant(Math.min(last, asked.now + 1))}`

/** Metres between two places, along a great circle of a sphere as large as the Earth (mean radius 6,371,008.8 m). */
const metres = sql`12742017.6 * asin(least(1, sqrt(pow(sin(radians(lat - lat_before) / 2), 2) + cos(radians(lat)) * cos(radians(lat_before)) * pow(sin(radians(lon - lon_before) / 2), 2))))`

/** How long before a place another of the same ride tells its speed, ms. */
const nearMs = 300_000

/** Metres of a degree of a great circle, and a little more: so far two places lie apart at most for each degree between them. */
const mostMetresOfDegree = 111_200

/**
 * Places of rides in a span, with their `speed` in m/s: as told, else from the vehicle's place just before, where that is of the same ride. Those without one are left out.
 * @param over Only those that were faster, m/s, in the digits in which telemetry is stored: 25 km/h told as 6.944444444 m/s is not over 25 km/h.
 */
export function speedRows(asked: Asked, { first, last }: Span, over: number | null = null): Sql {
  const isTold = sql`isFinite(speed) and speed >= 0`
  const during = sql`region_id = ${bind('String', asked.regionId)} and time >= ${instant(first - nearMs)} and time < ${instant(Math.min(last, asked.now + 1))}`
  const within = sql`${during} and trip_id != ${none}`
  const limit = sql`${bind('Float64', over ?? -1)}`
  const which = over === null ? sql`true` : sql`toFloat32(speed) > toFloat32(${limit})`
  const columns = sql`operator, device_id, telemetry_id, trip_id, ${msOf(sql`time`)} as begins, lon, lat, accuracy`
  // Only the places of operators that do not tell all speeds are put in order: as they are stored, so that little is left to sort.
  const afterOthers = sql`
  select *, lagInFrame(time) over place as before, lagInFrame(trip_id) over place as trip_before, lagInFrame(lon) over place as lon_before, lagInFrame(lat) over place as lat_before
  from ${latest('telemetry')} where ${within} and operator in (select operator from ${latest('telemetry')} where ${during} and not (${isTold}) group by operator)
  window place as (partition by region_id, operator, device_id order by time, telemetry_id rows between 1 preceding and current row)`
  const untold = sql`
  select * except(far, took), ${metres} / took as speed
  from (
    select ${columns}, lon_before, lat_before, abs(lon - lon_before) + abs(lat - lat_before) as far, (begins - ${msOf(sql`before`)}) / 1000 as took
    from (${afterOthers}) where not (${isTold}) and trip_before = trip_id and time > before and begins - ${msOf(sql`before`)} <= ${ms(nearMs)}
  )
  where far * ${bind('Float64', mostMetresOfDegree)} >= took * ${limit}`
  return sql`
  select * from (
    select ${bind('String', asked.regionId)} as region_id, place.operator as operator, place.device_id as device_id, if(vehicle.vehicle_type = '', 'other', vehicle.vehicle_type) as vehicle_type, place.telemetry_id as fact_id, place.trip_id as trip_id,
      place.begins as begins, place.begins as ends, place.lon as lon, place.lat as lat, place.accuracy as accuracy, place.speed as speed
    from (
      select ${columns}, toFloat64(speed) as speed from ${latest('telemetry')} where ${within} and ${isTold} and ${which}
      union all select operator, device_id, telemetry_id, trip_id, begins, lon, lat, accuracy, speed from (${untold}) where ${which}
    ) as place
    left join (select operator, device_id, vehicle_type from ${latest('vehicles')} where region_id = ${bind('String', asked.regionId)}) as vehicle on vehicle.operator = place.operator and vehicle.device_id = place.device_id
  )
  where ${ruleConditions(asked)}`
}
