import type { VehicleType } from '#contract/mobility.ts'
import type { VehicleState } from '#contract/vehicle-states.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { LiveRegion } from './live-region.ts'
import { type RecentEventRow, recentEvents } from './queries/recent-events.ts'
import { type RecentPointRow, recentPoints } from './queries/recent-points.ts'
import { type RegistrationRow, registrations } from './queries/registrations.ts'
import { tooOldAt } from './tracked-fleet.ts'
import { keptEvents } from './vehicle-track.ts'

const limits = { limits: { seconds: 120, memory: 6 * 2 ** 30 } }

/**
 * Fills a region from the store: the newest events of each vehicle that may still be told of, telemetry for as long as a vehicle is not
 * lost, and how it is registered.
 */
export async function loadRegion(
  store: Facts,
  scope: Scope,
  regionId: string,
  region: LiveRegion,
  { at, lostAfterHours }: { at: number; lostAfterHours: number },
): Promise<void> {
  const { tracked } = region
  const [registered, events, points] = await Promise.all([
    store.rows<RegistrationRow>(scope, registrations(regionId), limits),
    store.rows<RecentEventRow>(scope, recentEvents(regionId, tooOldAt(at), keptEvents), limits),
    store.rows<RecentPointRow>(scope, recentPoints(regionId, at - lostAfterHours * 3_600_000), limits),
  ])
  for (const row of registered)
    tracked.register(
      row.operator,
      row.device_id,
      row.vehicle_id,
      row.vehicle_type as VehicleType,
      Number(row.version),
    )
  for (const row of events)
    tracked.takeEvent(row.operator, row.device_id, {
      eventId: row.event_id,
      time: Number(row.time),
      turn: row.turn,
      rank: BigInt(row.version),
      state: row.state as VehicleState,
      ...placeOf(row),
    })
  for (const row of points)
    tracked.takePoint(row.operator, row.device_id, {
      telemetryId: row.telemetry_id,
      time: Number(row.time),
      rank: BigInt(row.version),
      ...placeOf(row),
    })
  region.showChanged(at)
}

const placeOf = ({
  lon,
  lat,
  battery,
}: {
  lon: number | null
  lat: number | null
  battery: number | null
}) => ({ lon: lon ?? Number.NaN, lat: lat ?? Number.NaN, battery: battery ?? Number.NaN })
