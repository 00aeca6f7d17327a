import { setMaxListeners } from 'node:events'
import { hourMs } from '#contract/period.ts'
import type { FeedBatch } from '#server/fleet/events/fleet-ingest.ts'
import { computeEventRank } from '#server/fleet/events/event-lines.ts'
import { computeRank } from '#server/fleet/events/rank.ts'
import { getEventTurn } from '#server/fleet/events/event-turn.ts'
import { numbersPerMs } from './change-ring.ts'
import type { LiveSnapshot } from './live-snapshot.ts'
import type { LiveVehicle } from './live-vehicle.ts'
import { OperatorVehicles, type VisibleVehicles } from './operator-vehicles.ts'
import { ShownVehicles } from './shown-vehicles.ts'
import { SnapshotFleet } from './snapshot-fleet.ts'
import { getOldestLiveTime, TrackedFleet } from './tracked-fleet.ts'

interface LiveRegionOptions {
  /** The number of the first change is one higher (see `ChangeRing`). */
  first: number
  lostAfterHours: number
}

/** The current vehicles of a region, from events and telemetry (`tracked`) and from snapshots. */
export class LiveRegion {
  readonly vehicles: ShownVehicles
  readonly tracked: TrackedFleet
  readonly #snapshots: SnapshotFleet
  readonly #byOperators = new Map<string, OperatorVehicles>()
  readonly #stationListeners = new Set<(operator: string) => void>()
  readonly #end = new AbortController()
  #lostAfterHours: number

  constructor({ first, lostAfterHours }: LiveRegionOptions) {
    this.vehicles = new ShownVehicles(first)
    this.tracked = new TrackedFleet(this.vehicles)
    this.#snapshots = new SnapshotFleet(this.vehicles, (operator) => this.tracked.has(operator))
    this.#lostAfterHours = lostAfterHours
    // Every open stream listens, so Node's warning about many listeners does not apply.
    setMaxListeners(0, this.#end.signal)
  }

  /** Applies records of a feed. The result does not depend on the order or repetition of batches. */
  applyBatch({ received, records }: FeedBatch, at: number): void {
    const oldestTime = getOldestLiveTime(at)
    for (const { operator, deviceId, vehicleId, vehicleType } of records.vehicles)
      this.tracked.register({ operator, deviceId, vehicleId, vehicleType, received })
    for (const event of records.events) {
      if (event.time < oldestTime) continue
      const { operator, deviceId, eventId, time, types, state, lon, lat, battery } = event
      this.tracked.addEvent(operator, deviceId, {
        eventId,
        time,
        turn: getEventTurn(types),
        rank: computeEventRank(event),
        state,
        lon,
        lat,
        battery,
      })
    }
    for (const {
      operator,
      deviceId,
      telemetryId,
      time,
      lon,
      lat,
      battery,
      speed,
      tripIds,
    } of records.telemetry) {
      if (time < oldestTime) continue
      this.tracked.addPoint(operator, deviceId, {
        telemetryId,
        time,
        rank: computeRank(0, `${lon} ${lat} ${speed} ${tripIds}`),
        lon,
        lat,
        battery,
      })
    }
    this.showChanged(at)
  }

  /** Publishes changes of tracked vehicles, which hide the snapshots of their operator. */
  showChanged(at: number): void {
    const operators = [...new Set(this.#snapshots.feeds.map(({ operator }) => operator))]
    const countTracked = (): number => operators.filter((operator) => this.tracked.has(operator)).length
    const countBefore = countTracked()
    this.tracked.showChanged(at, this.#lostAfterHours)
    if (countTracked() !== countBefore) this.#snapshots.showAll(at, this.#lostAfterMs)
  }

  replaceSnapshot(snapshot: LiveSnapshot, at: number): void {
    this.#snapshots.replace(snapshot, at, this.#lostAfterMs)
    for (const listener of this.#stationListeners) listener(snapshot.operator)
  }

  get snapshots(): readonly LiveSnapshot[] {
    return this.#snapshots.feeds
  }

  /** Updates all vehicles to the given time (ms): those without contact for `lostAfterHours` become lost. */
  sweep(at: number): void {
    this.tracked.showAll(at, this.#lostAfterHours)
    this.#snapshots.showAll(at, this.#lostAfterMs)
  }

  get lostAfterHours(): number {
    return this.#lostAfterHours
  }

  setLostAfterHours(hours: number, at: number): void {
    if (hours === this.#lostAfterHours) return
    this.#lostAfterHours = hours
    this.sweep(at)
  }

  /** Returns the vehicles of these operators (null: all). Viewers of the same operators share a view. */
  visibleTo(operators: readonly string[] | null, at: number): VisibleVehicles {
    if (!operators) return this.vehicles
    const key = JSON.stringify(operators.toSorted())
    const visible =
      this.#byOperators.get(key) ?? new OperatorVehicles(this.vehicles, operators, at * numbersPerMs)
    this.#byOperators.set(key, visible)
    return visible
  }

  /** Finds a vehicle by device id, or by operator and printed number as in `swift:SW-0042`. */
  find(id: string): LiveVehicle | null {
    for (const vehicle of this.vehicles.all())
      if (
        (vehicle.deviceId !== '' && vehicle.deviceId === id) ||
        `${vehicle.operator}:${vehicle.vehicleId}` === id
      )
        return vehicle
    return null
  }

  /** Calls back with the operator when its stations change. Returns a function that stops this. */
  watchStations(listener: (operator: string) => void): () => void {
    this.#stationListeners.add(listener)
    return () => this.#stationListeners.delete(listener)
  }

  /** Aborted when the region is removed from memory. */
  get ended(): AbortSignal {
    return this.#end.signal
  }

  end(): void {
    this.#end.abort()
  }

  get #lostAfterMs(): number {
    return this.#lostAfterHours * hourMs
  }
}
