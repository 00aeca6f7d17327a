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

/** Places of rides in a span, with their `speed` in m/s: as told, else from the place before. Those without one are left out. @param which Of these only some, by their `speed`. */
export function speedRows(asked: Asked, { first, last }: Span, which = sql`true`): Sql {
  const isTold = sql`isFinite(speed) and speed >= 0`
  const within = sql`region_id = ${bind('String', asked.regionId)} and trip_id != ${none} and time >= ${instant(first - nearMs)} and time < ${instant(Math.min(last, asked.now + 1))}`
  const read = (where: Sql): Sql => sql`select operator, device_id, telemetry_id, trip_id, ${msOf(sql`time`)} as begins, lon, lat, accuracy, toFloat64(speed) as speed from ${latest('telemetry')} where ${within} and ${where}`
  // Only rides of which some place lacks its speed are put in order: many operators tell all.
  const afterOthers = sql`
  select *, lagInFrame(begins, 1, toInt64(0)) over ride as before, lagInFrame(lon) over ride as lon_before, lagInFrame(lat) over ride as lat_before
  from (${read(sql`(operator, device_id, trip_id) in (select operator, device_id, trip_id from ${latest('telemetry')} where ${within} and not (${isTold}))`)})
  window ride as (partition by operator, device_id, trip_id order by begins, telemetry_id rows between 1 preceding and current row)`
  const untold = sql`
  select operator, device_id, telemetry_id, trip_id, begins, lon, lat, accuracy, ${metres} / ((begins - before) / 1000) as speed
  from (select * except(speed) from (${afterOthers}) where not (${isTold}) and before > 0 and begins > before and begins - before <= ${ms(nearMs)})`
  return sql`
  select * from (
    select ${bind('String', asked.regionId)} as region_id, place.operator as operator, place.device_id as device_id, if(vehicle.vehicle_type = '', 'other', vehicle.vehicle_type) as vehicle_type, place.telemetry_id as fact_id, place.trip_id as trip_id,
      place.begins as begins, place.begins as ends, place.lon as lon, place.lat as lat, place.accuracy as accuracy, place.speed as speed
    from (select * from (${read(isTold)} union all ${untold}) where ${which}) as place
    left join (select operator, device_id, vehicle_type from ${latest('vehicles')} where region_id = ${bind('String', asked.regionId)}) as vehicle on vehicle.operator = place.operator and vehicle.device_id = place.device_id
  )
  where ${ruleConditions(asked)}`
}
