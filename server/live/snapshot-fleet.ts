import { isLost } from '#server/regions/lost-vehicles.ts'
import type { VehicleState } from '#contract/vehicle-states.ts'
import { type LiveSnapshot, snapshotKey, type SnapshotVehicle } from './live-snapshot.ts'
import type { LiveVehicle } from './live-vehicle.ts'
import type { ShownVehicles } from './shown-vehicles.ts'

/** What one feed of snapshots shows. */
interface SnapshotFeed {
  snapshot: LiveSnapshot
  vehicles: Map<string, LiveVehicle>
}

const stateOf = ({ isDisabled, isReserved }: SnapshotVehicle): VehicleState =>
  isDisabled ? 'non_operational' : isReserved ? 'reserved' : 'available'

/** The vehicles of a region from snapshots. Operators with events are shown by those: snapshots would show each vehicle twice. */
export class SnapshotFleet {
  readonly #shown: ShownVehicles
  readonly #feeds = new Map<string, SnapshotFeed>()
  readonly #hasEvents: (operator: string) => boolean

  constructor(shown: ShownVehicles, hasEvents: (operator: string) => boolean) {
    this.#shown = shown
    this.#hasEvents = hasEvents
  }

  /** A newer snapshot replaces the one before; an older one changes nothing. `at`: now, because a snapshot may be old when it arrives. */
  replace(snapshot: LiveSnapshot, at: number, lostAfterMs: number): void {
    const before = this.#feeds.get(snapshotKey(snapshot))
    if (before && before.snapshot.at > snapshot.at) return
    const feed: SnapshotFeed = { snapshot, vehicles: before?.vehicles ?? new Map() }
    this.#feeds.set(snapshotKey(snapshot), feed)
    this.#show(feed, at, lostAfterMs)
  }

  /** Shows all as they are at a moment: a feed may be silent for so long that its vehicles are lost, and events may have come. */
  showAll(at: number, lostAfterMs: number): void {
    for (const feed of this.#feeds.values()) this.#show(feed, at, lostAfterMs)
  }

  get feeds(): readonly LiveSnapshot[] {
    return [...this.#feeds.values()].map(({ snapshot }) => snapshot)
  }

  #show({ snapshot, vehicles: before }: SnapshotFeed, at: number, lostAfterMs: number): void {
    const { operator, vehicles } = snapshot
    const reported = new Map(
      (this.#hasEvents(operator) ? [] : vehicles).map((vehicle) => [vehicle.vehicleId, vehicle]),
    )
    for (const [id, vehicle] of before)
      if (!reported.has(id)) {
        this.#shown.hide(vehicle)
        before.delete(id)
      }
    const isSilent = isLost(snapshot.at, at, lostAfterMs)
    for (const [vehicleId, vehicle] of reported) {
      const old = before.get(vehicleId) ?? null
      const state = isSilent ? 'lost' : stateOf(vehicle)
      // A snapshot does not contain since when, so the time when it was first seen in this state counts.
      const since =
        old?.state === state
          ? old.since
          : isSilent
            ? snapshot.at
            : Number.isNaN(vehicle.lastReported)
              ? snapshot.at
              : Math.min(vehicle.lastReported, snapshot.at)
      const { vehicleType, lon, lat, battery } = vehicle
      before.set(
        vehicleId,
        this.#shown.show(
          {
            operator,
            vehicleId,
            deviceId: '',
            vehicleType,
            state,
            since,
            seen: snapshot.at,
            lon,
            lat,
            battery,
            source: 'gbfs',
          },
          old,
        ),
      )
    }
  }
}
