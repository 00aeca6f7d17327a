import type { VehicleState } from '#contract/vehicle-states.ts'
import { isLost } from '#server/regions/lost-vehicles.ts'
import { type LiveSnapshot, getSnapshotKey, type SnapshotVehicle } from './live-snapshot.ts'
import type { LiveVehicle } from './live-vehicle.ts'
import type { ShownVehicles } from './shown-vehicles.ts'

/** The last snapshot of a feed, and its vehicles as shown, by vehicle id. */
interface SnapshotFeed {
  snapshot: LiveSnapshot
  vehicles: Map<string, LiveVehicle>
}

function toState({ isDisabled, isReserved }: SnapshotVehicle): VehicleState {
  if (isDisabled) return 'non_operational'
  return isReserved ? 'reserved' : 'available'
}

/** Vehicles from snapshots. Those of operators with events are hidden, or they would appear twice. */
export class SnapshotFleet {
  readonly #shown: ShownVehicles
  readonly #feeds = new Map<string, SnapshotFeed>()
  readonly #hasEvents: (operator: string) => boolean

  constructor(shown: ShownVehicles, hasEvents: (operator: string) => boolean) {
    this.#shown = shown
    this.#hasEvents = hasEvents
  }

  /** Replaces a snapshot that is not newer. `at` is the current time: a snapshot may arrive late. */
  replace(snapshot: LiveSnapshot, at: number, lostAfterMs: number): void {
    const previous = this.#feeds.get(getSnapshotKey(snapshot))
    if (previous && previous.snapshot.at > snapshot.at) return
    const feed: SnapshotFeed = { snapshot, vehicles: previous?.vehicles ?? new Map() }
    this.#feeds.set(getSnapshotKey(snapshot), feed)
    this.#show(feed, at, lostAfterMs)
  }

  /** Updates vehicles to a time: silent ones become lost, those of operators with events are hidden. */
  showAll(at: number, lostAfterMs: number): void {
    for (const feed of this.#feeds.values()) this.#show(feed, at, lostAfterMs)
  }

  get feeds(): readonly LiveSnapshot[] {
    return [...this.#feeds.values()].map(({ snapshot }) => snapshot)
  }

  #show({ snapshot, vehicles: shownVehicles }: SnapshotFeed, at: number, lostAfterMs: number): void {
    const { operator, vehicles } = snapshot
    const reportedVehicles = new Map(
      (this.#hasEvents(operator) ? [] : vehicles).map((vehicle) => [vehicle.vehicleId, vehicle]),
    )
    for (const [id, vehicle] of shownVehicles)
      if (!reportedVehicles.has(id)) {
        this.#shown.hide(vehicle)
        shownVehicles.delete(id)
      }
    const isSilent = isLost(snapshot.at, at, lostAfterMs)
    for (const [vehicleId, vehicle] of reportedVehicles) {
      const shownVehicle = shownVehicles.get(vehicleId) ?? null
      const state = isSilent ? 'lost' : toState(vehicle)
      // A snapshot does not say when a state began, so it lasts since the vehicle was first seen in it.
      const firstSeen =
        isSilent || Number.isNaN(vehicle.lastReported)
          ? snapshot.at
          : Math.min(vehicle.lastReported, snapshot.at)
      const since = shownVehicle?.state === state ? shownVehicle.since : firstSeen
      const { vehicleType, lon, lat, battery } = vehicle
      shownVehicles.set(
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
          shownVehicle,
        ),
      )
    }
  }
}
