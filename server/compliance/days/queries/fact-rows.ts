import type { VehicleState } from '#contract/vehicle-states.ts'
import { lostRule } from '#server/regions/lost-vehicles.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { type FactFilter, ruleConditions } from '../rule-conditions.ts'

/** The time range of facts, ms, half open. */
export interface Span {
  from: number
  until: number
}

const ms = (value: number): Sql => sql`${bind('Int64', String(value))}`
/** SQL of the trip id of facts without a trip. */
export const noTripId = sql`toUUID('00000000-0000-0000-0000-000000000000')`

/**
 * Builds the SQL of vehicle intervals in the states, with `begins` and `ends` in ms. An interval ends now at
 * the latest, or when the vehicle has been silent for lostAfterHours.
 */
export function intervalsInStates(
  filter: FactFilter,
  { from, until }: Span,
  states: readonly VehicleState[],
): Sql {
  const rule = lostRule(filter.lostAfterHours)
  const lastTime = sql`least(to_time, ${rule.lostAt(sql`from_time`)})`
  return sql`
  select
    operator,
    device_id,
    vehicle_type,
    event_id as fact_id,
    ${noTripId} as trip_id,
    ${toMilliseconds(sql`from_time`)} as begins,
    least(${toMilliseconds(lastTime)}, ${ms(filter.now)}) as ends,
    lon,
    lat,
    accuracy
  from ${latest('vehicle_intervals')}
  where ${ruleConditions(filter)}
    and state in ${bind('Array(String)', states)}
    and from_time < ${toDateTime(until)}
    and to_time > ${toDateTime(from)}
    and ${rule.hasContact(sql`from_time`, toDateTime(from))}`
}

/**
 * Selects parking events that begin in a span, with their `length` up to now in ms and whether they are open.
 */
export const parkingRows = (filter: FactFilter, { from, until }: Span): Sql => sql`
  select
    operator,
    device_id,
    vehicle_type,
    event_id as fact_id,
    ${noTripId} as trip_id,
    ${toMilliseconds(sql`from_time`)} as begins,
    least(${toMilliseconds(sql`to_time`)}, ${ms(filter.now)}) as ends,
    lon,
    lat,
    accuracy,
    ends - begins as length,
    ended = 0 and ${toMilliseconds(sql`to_time`)} > ${ms(filter.now)} as is_open
  from ${latest('parking_events')}
  where ${ruleConditions(filter)}
    and from_time >= ${toDateTime(from)}
    and from_time < ${toDateTime(Math.min(until, filter.now + 1))}`

/** Builds the SQL of the events by which operators dropped off vehicles. */
export const dropOffRows = (filter: FactFilter, { from, until }: Span): Sql => sql`
  with
    drop_offs as (
      select *
      from ${latest('vehicle_events')}
      where region_id = ${bind('String', filter.regionId)}
        and superseded = 0
        and has(event_types, 'provider_drop_off')
        and event_time >= ${toDateTime(from)}
        and event_time < ${toDateTime(Math.min(until, filter.now + 1))}
    ),
    types_of_vehicles as (
      select operator, device_id, vehicle_type
      from ${latest('vehicles')}
      where region_id = ${bind('String', filter.regionId)}
    ),
    drop_offs_with_type as (
      select
        event.region_id as region_id,
        event.operator as operator,
        event.device_id as device_id,
        if(vehicle.vehicle_type = '', 'other', vehicle.vehicle_type) as vehicle_type,
        event.event_id as fact_id,
        ${noTripId} as trip_id,
        ${toMilliseconds(sql`event.event_time`)} as begins,
        toInt64(0) as ends,
        event.lon as lon,
        event.lat as lat,
        event.accuracy as accuracy
      from drop_offs as event
      left join types_of_vehicles as vehicle
        on vehicle.operator = event.operator and vehicle.device_id = event.device_id
    )
  select *
  from drop_offs_with_type
  where ${ruleConditions(filter)}`

/** Selects trips that start in a span. `device_id` is the vehicle id for trip files without device ids. */
export const tripRows = (filter: FactFilter, { from, until }: Span, daysBack = 1): Sql => sql`
  select
    operator,
    vehicle_id as device_id,
    vehicle_type,
    trip_id as fact_id,
    trip_id,
    ${toMilliseconds(sql`start_time`)} as begins,
    ${toMilliseconds(sql`ifNull(end_time, start_time)`)} as ends,
    isNotNull(end_time) as has_end,
    start_lon as lon,
    start_lat as lat,
    end_lon,
    end_lat,
    toFloat32(nan) as accuracy
  from ${latest('trips')}
  where ${ruleConditions(filter, sql`toUUIDOrZero(vehicle_id)`)}
    -- part of the sorting key
    and local_date between toDate(${toDateTime(from)}) - ${bind('UInt16', daysBack)} and toDate(${toDateTime(until)}) + 1
    and start_time < ${toDateTime(Math.min(until, filter.now + 1))}`
