import type { VehicleType } from '#contract/mobility.ts'
import { hourMs } from '#contract/period.ts'
import type { VehicleState } from '#contract/vehicle-states.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts as factTable, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { LiveRegion } from './live-region.ts'
import { getOldestLiveTime } from './tracked-fleet.ts'
import { maxTrackEvents } from './vehicle-track.ts'

interface RecentPointRow {
  operator: string
  device_id: string
  telemetry_id: string
  time: string
  version: string
  /** Null if unknown. */
  lon: number | null
  lat: number | null
  battery: number | null
}

/** Builds SQL for each vehicle's newest points since a time (ms): of all, with a location, with a battery level. */
const recentPointsSql = (regionId: string, since: number): Sql => sql`
  with
    -- point: (time, telemetry_id, version, lon, lat, battery)
    points as (
      select
        operator, device_id, lon, lat, battery,
        (time, toString(telemetry_id), version) as newness,
        (
          toString(toUnixTimestamp64Milli(time)),
          toString(telemetry_id),
          toString(version),
          lon,
          lat,
          battery
        ) as point
      from ${factTable('telemetry')}
      where region_id = ${bind('String', regionId)} and time >= ${toDateTime(since)}
    ),
    newest as (
      select
        operator, device_id,
        argMaxIf(point, newness, isFinite(lon) and isFinite(lat)) as placed,
        argMaxIf(point, newness, isFinite(battery)) as charged,
        argMax(point, newness) as last
      from points
      group by operator, device_id
    ),
    distinct_points as (
      select
        operator,
        toString(device_id) as device_id,
        arrayJoin(arrayDistinct([placed, charged, last])) as point
      from newest
    )
  select
    operator, device_id,
    point.1 as time,
    point.2 as telemetry_id,
    point.3 as version,
    if(isFinite(point.4), point.4, null) as lon,
    if(isFinite(point.5), point.5, null) as lat,
    if(isFinite(point.6), point.6, null) as battery
  from distinct_points
  where time != ''`

interface RecentEventRow {
  operator: string
  device_id: string
  event_id: string
  time: string
  turn: number
  version: string
  state: string
  /** Null if unknown. */
  lon: number | null
  lat: number | null
  battery: number | null
}

/** Builds SQL for the newest events of each vehicle since a time (ms), up to `limit` per vehicle. */
const recentEventsSql = (regionId: string, since: number, limit: number): Sql => sql`
  select
    operator,
    toString(device_id) as device_id,
    toString(event_id) as event_id,
    toString(toUnixTimestamp64Milli(event_time)) as time,
    turn,
    toString(version) as version,
    state,
    if(isFinite(lon), lon, null) as lon,
    if(isFinite(lat), lat, null) as lat,
    if(isFinite(battery), battery, null) as battery
  from ${latest('vehicle_events')}
  where region_id = ${bind('String', regionId)} and superseded = 0 and event_time >= ${toDateTime(since)}
  order by operator, device_id, event_time desc, turn desc, event_id desc
  limit ${bind('UInt8', limit)} by operator, device_id`

interface RegistrationRow {
  operator: string
  device_id: string
  vehicle_id: string
  vehicle_type: string
  /** When the registration was received, ms. */
  version: string
}

/** Builds SQL for the latest registrations of a region's vehicles that were received since a time (ms). */
const registrationsSql = (regionId: string, receivedSince: number): Sql => sql`
  select
    operator,
    toString(device_id) as device_id,
    vehicle_id, vehicle_type,
    toString(version) as version
  from ${latest('vehicles')}
  where
    region_id = ${bind('String', regionId)}
    and toUInt64(version) >= ${bind('UInt64', BigInt(receivedSince))}`

/** Where new records start, ms: earliest event or telemetry time, and earliest receipt of a registration. */
export interface LiveSince {
  time: number
  received: number
}

const queryOptions = { limits: { seconds: 120, memory: 6 * 2 ** 30 } }

/**
 * Fills a region from the store: registrations, the newest events of vehicles that may still be shown, and
 * telemetry within `lostAfterHours`. With `since`, only records from then on are read. Records that are
 * already known have no effect.
 */
export async function loadRegion(
  facts: Facts,
  scope: Scope,
  region: LiveRegion,
  {
    regionId,
    at,
    lostAfterHours,
    since = { time: 0, received: 0 },
  }: { regionId: string; at: number; lostAfterHours: number; since?: LiveSince },
): Promise<void> {
  const { tracked } = region
  const [registrations, events, points] = await Promise.all([
    facts.rows<RegistrationRow>(scope, registrationsSql(regionId, since.received), queryOptions),
    facts.rows<RecentEventRow>(
      scope,
      recentEventsSql(regionId, Math.max(getOldestLiveTime(at), since.time), maxTrackEvents),
      queryOptions,
    ),
    facts.rows<RecentPointRow>(
      scope,
      recentPointsSql(regionId, Math.max(at - lostAfterHours * hourMs, since.time)),
      queryOptions,
    ),
  ])
  for (const row of registrations)
    tracked.register({
      operator: row.operator,
      deviceId: row.device_id,
      vehicleId: row.vehicle_id,
      vehicleType: row.vehicle_type as VehicleType,
      received: Number(row.version),
    })
  for (const row of events)
    tracked.addEvent(row.operator, row.device_id, {
      eventId: row.event_id,
      time: Number(row.time),
      turn: row.turn,
      rank: BigInt(row.version),
      state: row.state as VehicleState,
      ...toPlaceAndBattery(row),
    })
  for (const row of points)
    tracked.addPoint(row.operator, row.device_id, {
      telemetryId: row.telemetry_id,
      time: Number(row.time),
      rank: BigInt(row.version),
      ...toPlaceAndBattery(row),
    })
  region.showChanged(at)
}

const toPlaceAndBattery = ({ lon, lat, battery }: Pick<RecentPointRow, 'lon' | 'lat' | 'battery'>) => ({
  lon: lon ?? Number.NaN,
  lat: lat ?? Number.NaN,
  battery: battery ?? Number.NaN,
})
