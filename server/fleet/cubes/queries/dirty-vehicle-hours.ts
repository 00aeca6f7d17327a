import { lostRule } from '#server/regions/lost-vehicles.ts'
import { instant } from '#server/stores/instant.ts'
import { bind, facts, latest, type Sql, sql } from '#server/stores/sql.ts'
import { dirtyVehicles } from '../../events/fleet-derivation.ts'

/** What a derivation changed, according to its runs. */
export interface DirtyRuns {
  regionId: string
  runIds: readonly string[]
  lostAfterHours: number
  shift: number
  /** Hours from this moment on have not ended and were never computed, ms. */
  until: number
}

const changedVehicles = ({ regionId, runIds }: DirtyRuns): Sql => sql`
  select operator, device_id, min(toUnixTimestamp64Milli(from_time)) as change from (${dirtyVehicles(regionId, runIds)}) group by operator, device_id`

/** From when on vehicles are dirty, ms, without those that are dirty from the beginning (`whole`). */
export const dirtySince = (dirtyRuns: DirtyRuns): Sql => sql`
  select toString(minIf(change, change > 0)) as since, toString(countIf(change > 0)) as parts, toString(countIf(change = 0)) as whole from (${changedVehicles(dirtyRuns)})`

/** The first event of vehicles that are dirty from the beginning, ms. */
export const historySince = (dirtyRuns: DirtyRuns): Sql => sql`
  select toString(toUnixTimestamp64Milli(min(event_time))) as since, toString(count()) as events from ${facts('vehicle_events')}
  where region_id = ${bind('String', dirtyRuns.regionId)} and (operator, device_id) in (select operator, device_id from (${changedVehicles(dirtyRuns)}) where change = 0)`

/** The last moment at which the runs' events happen, of all of their versions, by vehicle. */
const lastTimes = (dirtyRuns: DirtyRuns, since: string): Sql => {
  const later = sql`region_id = ${bind('String', dirtyRuns.regionId)} and event_time >= ${instant(since)}`
  return sql`
  select operator, device_id, max(toUnixTimestamp64Milli(event_time)) as last
  from ${facts('vehicle_events')}
  where ${later} and (operator, device_id) in (select operator, device_id from (${changedVehicles(dirtyRuns)}))
    and event_id in (select event_id from ${facts('vehicle_events')} where ${later} and batch_id in ${bind('Array(UUID)', dirtyRuns.runIds)})
  group by operator, device_id`
}

/** A dirty vehicle: the moments (ms) between which its facts may have changed. */
export interface VehicleChange {
  operator: string
  device_id: string
  changed: number
  before: number
  behind: number
  known: number
}

/**
 * Of each vehicle the event before its change (`before`, 0: none near), the one behind from which on all is as it was (`behind`, 0: none), and the
 * last moment from which anything is known of it (`known`). ms.
 */
export const vehicleChanges = (dirtyRuns: DirtyRuns, since: string): Sql => sql`
  select change.operator as operator, toString(change.device_id) as device_id, toFloat64(any(change.change)) as changed, toFloat64(maxIf(event.at, event.at < change.change)) as before,
    toFloat64(if(any(change.last) = 0, 0, minIf(event.at, event.at > change.last and event.is_firm))) as behind,
    toFloat64(greatest(any(change.change), any(change.last), max(event.at))) as known
  from (
    select vehicle.operator as operator, vehicle.device_id as device_id, vehicle.change as change, time.last as last
    from (${changedVehicles(dirtyRuns)}) as vehicle
    left join (${lastTimes(dirtyRuns, since)}) as time on time.operator = vehicle.operator and time.device_id = vehicle.device_id
    where vehicle.change > 0
  ) as change
  left join (
    select operator, device_id, toUnixTimestamp64Milli(from_time) as at, state != 'non_contactable' and isFinite(lon + lat) as is_firm
    from ${latest('vehicle_intervals')}
    where region_id = ${bind('String', dirtyRuns.regionId)} and not (${lostRule(dirtyRuns.lostAfterHours).isLost(sql`from_time`, instant(since))}) and (operator, device_id) in (select operator, device_id from (${changedVehicles(dirtyRuns)}))
  ) as event on event.operator = change.operator and event.device_id = change.device_id
  group by operator, device_id`

/** Only these vehicles; with many, all dirty ones are read. */
const ofVehicles = (dirtyRuns: DirtyRuns, devices: readonly string[]): Sql =>
  sql`region_id = ${bind('String', dirtyRuns.regionId)} and ${devices.length <= maxListedVehicles ? sql`device_id in ${bind('Array(UUID)', devices)}` : sql`(operator, device_id) in (select operator, device_id from (${changedVehicles(dirtyRuns)}))`}`
const maxListedVehicles = 2000

/** The last event (ms) before a moment, of vehicles that had been silent: they may have been lost, and count as resting again. */
export const lastEventsBefore = (dirtyRuns: DirtyRuns, since: string, devices: readonly string[]): Sql => sql`
  select operator, toString(device) as device_id, toFloat64(toUnixTimestamp64Milli(last)) as before
  from (
    select operator, device_id as device, max(from_time) as last from ${latest('vehicle_intervals')}
    where ${ofVehicles(dirtyRuns, devices)} and from_time < ${instant(since)}
    group by operator, device_id
  )`

/** A parking event of a vehicle, ms. */
export interface ParkingEvent {
  operator: string
  device_id: string
  begins: number
  ends: number
}

/** The parking events of vehicles that end after `from` and begin before `until`, ms. */
export function parkingEventsBetween(
  dirtyRuns: DirtyRuns,
  devices: readonly string[],
  from: string,
  until: string,
): Sql {
  const near = sql`${instant(from)} - toIntervalDay(7)`
  const row = sql`select operator, device_id, from_time, to_time from ${latest('parking_events')}`
  const ours = ofVehicles(dirtyRuns, devices)
  return sql`
  select operator, toString(device_id) as device_id, toFloat64(toUnixTimestamp64Milli(from_time)) as begins, toFloat64(toUnixTimestamp64Milli(to_time)) as ends
  from (
    ${row} where ${ours} and from_time >= ${near} and from_time <= ${instant(until)}
    union all
    ${row} where ${ours} and from_time < ${near} and (operator, device_id, from_time) in (select operator, device_id, from_time from ${facts('long_rests')} where ${ours})
  )
  where to_time > ${instant(from)}`
}
