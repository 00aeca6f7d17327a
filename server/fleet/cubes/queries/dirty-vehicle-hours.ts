import { createLostRule } from '#server/regions/lost-vehicles.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, facts, latest, type Sql, sql } from '#server/stores/sql.ts'
import { dirtyVehiclesSql } from '../../events/fleet-derivation.ts'
import { longParkingDays } from './cube-facts.ts'

/** The runs of a derivation. Their marks say what it changed. */
export interface DirtyRuns {
  regionId: string
  runIds: readonly string[]
  lostAfterHours: number
  shift: number
  /** Start of the current hour, ms. Later hours have not ended and were never computed. */
  until: number
}

/** Builds SQL for the first change (ms) of each dirty vehicle; 0: all of its past. */
const changedVehiclesSql = ({ regionId, runIds }: DirtyRuns): Sql => sql`
  select operator, device_id, min(toUnixTimestamp64Milli(from_time)) as change
  from (${dirtyVehiclesSql(regionId, runIds)})
  group by operator, device_id`

/**
 * Builds SQL for the first change of vehicles that changed at some instant (`since`, ms), their number
 * (`changed_vehicles`), and the number of those with an entirely dirty past (`entirely_dirty`).
 */
export const dirtySinceSql = (dirtyRuns: DirtyRuns): Sql => sql`
  select
    toString(minIf(change, change > 0)) as since,
    toString(countIf(change > 0)) as changed_vehicles,
    toString(countIf(change = 0)) as entirely_dirty
  from (${changedVehiclesSql(dirtyRuns)})`

/** Builds SQL for the first event (ms) and the number of events of vehicles with an entirely dirty past. */
export const historySinceSql = (dirtyRuns: DirtyRuns): Sql => sql`
  select toString(toUnixTimestamp64Milli(min(event_time))) as since, toString(count()) as events
  from ${facts('vehicle_events')}
  where
    region_id = ${bind('String', dirtyRuns.regionId)}
    and (operator, device_id) in (
      select operator, device_id
      from (${changedVehiclesSql(dirtyRuns)})
      where change = 0
    )`

/** Builds SQL for the last time of the runs' events by vehicle, in any of their versions. `since`: ms. */
const lastTimesSql = (dirtyRuns: DirtyRuns, since: string): Sql => {
  const later = sql`region_id = ${bind('String', dirtyRuns.regionId)} and event_time >= ${toDateTime(since)}`
  return sql`
    select operator, device_id, max(toUnixTimestamp64Milli(event_time)) as last
    from ${facts('vehicle_events')}
    where
      ${later}
      and (operator, device_id) in (select operator, device_id from (${changedVehiclesSql(dirtyRuns)}))
      and event_id in (
        select event_id
        from ${facts('vehicle_events')}
        where ${later} and batch_id in ${bind('Array(UUID)', dirtyRuns.runIds)}
      )
    group by operator, device_id`
}

/** A dirty vehicle and the events (ms) that limit the time in which its facts may have changed. */
export interface VehicleChange {
  operator: string
  device_id: string
  /** The first change. */
  changed: number
  /** The last event before the change; 0: none within the time after which a vehicle counts as lost. */
  previous_event: number
  /** The first event after the last change from which facts are unchanged; 0: none. */
  next_event: number
  /** The last known event. */
  last_event: number
}

/** Builds SQL for dirty vehicles that changed at an instant (`VehicleChange`). `since`: the first, ms. */
export const vehicleChangesSql = (dirtyRuns: DirtyRuns, since: string): Sql => sql`
  select
    change.operator as operator,
    toString(change.device_id) as device_id,
    toFloat64(any(change.change)) as changed,
    toFloat64(maxIf(event.at, event.at < change.change)) as previous_event,
    toFloat64(
      if(any(change.last) = 0, 0, minIf(event.at, event.at > change.last and event.is_certain))
    ) as next_event,
    toFloat64(greatest(any(change.change), any(change.last), max(event.at))) as last_event
  from (
    select
      vehicle.operator as operator,
      vehicle.device_id as device_id,
      vehicle.change as change,
      time.last as last
    from (${changedVehiclesSql(dirtyRuns)}) as vehicle
    left join (${lastTimesSql(dirtyRuns, since)}) as time
      on time.operator = vehicle.operator and time.device_id = vehicle.device_id
    where vehicle.change > 0
  ) as change
  left join (
    select
      operator, device_id,
      toUnixTimestamp64Milli(from_time) as at,
      state != 'non_contactable' and isFinite(lon + lat) as is_certain
    from ${latest('vehicle_intervals')}
    where
      region_id = ${bind('String', dirtyRuns.regionId)}
      and not (${createLostRule(dirtyRuns.lostAfterHours).isLost(sql`from_time`, toDateTime(since))})
      and (operator, device_id) in (select operator, device_id from (${changedVehiclesSql(dirtyRuns)}))
  ) as event
    on event.operator = change.operator and event.device_id = change.device_id
  group by operator, device_id`

/** The maximum number of vehicles that are bound as a list. */
const maxListedVehicles = 2000

/** Builds the condition for vehicles. Long lists are not bound: all dirty vehicles are read instead. */
const vehiclesCondition = (dirtyRuns: DirtyRuns, devices: readonly string[]): Sql => {
  const isListed =
    devices.length <= maxListedVehicles
      ? sql`device_id in ${bind('Array(UUID)', devices)}`
      : sql`(operator, device_id) in (select operator, device_id from (${changedVehiclesSql(dirtyRuns)}))`
  return sql`region_id = ${bind('String', dirtyRuns.regionId)} and ${isListed}`
}

/** Builds SQL for the last event (ms) of vehicles before an instant (`since`, ms). */
export const lastEventsBeforeSql = (
  dirtyRuns: DirtyRuns,
  since: string,
  devices: readonly string[],
): Sql => sql`
  select
    operator,
    toString(device) as device_id,
    toFloat64(toUnixTimestamp64Milli(last)) as previous_event
  from (
    select operator, device_id as device, max(from_time) as last
    from ${latest('vehicle_intervals')}
    where ${vehiclesCondition(dirtyRuns, devices)} and from_time < ${toDateTime(since)}
    group by operator, device_id
  )`

/** A parking event of a vehicle, ms. */
export interface ParkingEvent {
  operator: string
  device_id: string
  begins: number
  ends: number
}

/** Builds SQL for parking events of vehicles that end after `from` and begin by `until`, ms. */
export function parkingEventsBetweenSql(
  dirtyRuns: DirtyRuns,
  devices: readonly string[],
  from: string,
  until: string,
): Sql {
  // Parking events that started before are found by long_rests.
  const earliestShortStart = sql`${toDateTime(from)} - toIntervalDay(${bind('UInt8', longParkingDays)})`
  const row = sql`select operator, device_id, from_time, to_time from ${latest('parking_events')}`
  const vehicleCondition = vehiclesCondition(dirtyRuns, devices)
  return sql`
    select
      operator,
      toString(device_id) as device_id,
      toFloat64(toUnixTimestamp64Milli(from_time)) as begins,
      toFloat64(toUnixTimestamp64Milli(to_time)) as ends
    from (
      ${row}
      where
        ${vehicleCondition}
        and from_time >= ${earliestShortStart}
        and from_time <= ${toDateTime(until)}
      union all
      ${row}
      where
        ${vehicleCondition}
        and from_time < ${earliestShortStart}
        and (operator, device_id, from_time) in (
          select operator, device_id, from_time
          from ${facts('long_rests')}
          where ${vehicleCondition}
        )
    )
    where to_time > ${toDateTime(from)}`
}
