import type { VehicleState } from '#contract/vehicle-states.ts'
import { createLostRule } from '#server/regions/lost-vehicles.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { type FactFilter, ruleConditions } from '../rule-conditions.ts'

/** The time range of facts, ms, half open. */
export interface Span {
  from: number
  until: number
}

/*
 * Each query selects facts as operator, device_id, vehicle_type, fact_id, trip_id, begins and ends (ms), lon, lat,
 * and accuracy (meters; NaN if unknown). Facts at the moment `filter.now` itself count.
 */

const bindMs = (value: number): Sql => sql`${bind('Int64', String(value))}`
/** SQL of the trip id of facts without a trip. */
export const noTripId = sql`toUUID('00000000-0000-0000-0000-000000000000')`

/** Builds SQL for intervals in the states, which end now or `lostAfterHours` after the last contact. */
export function stateIntervalRows(
  filter: FactFilter,
  { from, until }: Span,
  states: readonly VehicleState[],
): Sql {
  const rule = createLostRule(filter.lostAfterHours)
  const lastTime = sql`least(to_time, ${rule.lostAt(sql`from_time`)})`
  return sql`
  select
    operator,
    device_id,
    vehicle_type,
    event_id as fact_id,
    ${noTripId} as trip_id,
    ${toMilliseconds(sql`from_time`)} as begins,
    least(${toMilliseconds(lastTime)}, ${bindMs(filter.now)}) as ends,
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

/** Builds SQL for parking events that begin in a span, with their `length` so far (ms) and `is_open`. */
export const parkingRows = (filter: FactFilter, { from, until }: Span): Sql => sql`
  select
    operator,
    device_id,
    vehicle_type,
    event_id as fact_id,
    ${noTripId} as trip_id,
    ${toMilliseconds(sql`from_time`)} as begins,
    least(${toMilliseconds(sql`to_time`)}, ${bindMs(filter.now)}) as ends,
    lon,
    lat,
    accuracy,
    ends - begins as length,
    ended = 0 and ${toMilliseconds(sql`to_time`)} > ${bindMs(filter.now)} as is_open
  from ${latest('parking_events')}
  where ${ruleConditions(filter)}
    and from_time >= ${toDateTime(from)}
    and from_time < ${toDateTime(Math.min(until, filter.now + 1))}`

/** Builds SQL for the events by which operators dropped off vehicles. They are moments: `ends` is 0. */
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

/**
 * Builds SQL for trips that start before the end of a span and at most about `daysBack` local days before its
 * start. Callers narrow them to the span. `device_id` is the vehicle id for trip files without device ids.
 */
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
    -- coarse bound on the sorting key; local and UTC days differ by one at most
    and local_date between toDate(${toDateTime(from)}) - ${bind('UInt16', daysBack)} and toDate(${toDateTime(until)}) + 1
    and start_time < ${toDateTime(Math.min(until, filter.now + 1))}`
