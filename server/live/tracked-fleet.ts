import type { VehicleType } from '#contract/mobility.ts'
import { hourMs } from '#contract/period.ts'
import { isLost } from '#server/regions/lost-vehicles.ts'
import type { ShownVehicles } from './shown-vehicles.ts'
import { type TrackEvent, type TrackPoint, VehicleTrack } from './vehicle-track.ts'
import type { LiveVehicle } from './live-vehicle.ts'

/** A vehicle with events or telemetry: its registration, its latest records, and what is shown of it. */
interface TrackedVehicle {
  operator: string
  deviceId: string
  vehicleId: string
  vehicleType: VehicleType
  /** When the registration was received, ms since 1970; 0 if it never was. */
  registered: number
  track: VehicleTrack
  shown: LiveVehicle | null
}

/** The registration of a vehicle. `received`: ms since 1970. */
interface Registration extends Pick<TrackedVehicle, 'operator' | 'deviceId' | 'vehicleId' | 'vehicleType'> {
  received: number
}

const createTrackedVehicle = (operator: string, deviceId: string): TrackedVehicle => ({
  operator,
  deviceId,
  vehicleId: deviceId,
  vehicleType: 'other',
  registered: 0,
  track: new VehicleTrack(),
  shown: null,
})

/** Returns what to show at a time (ms); null if the state is unknown or the silence too long. */
function getCurrentView(
  { operator, deviceId, vehicleId, vehicleType, track }: TrackedVehicle,
  at: number,
  lostAfterMs: number,
  hiddenAfterMs: number,
): Omit<LiveVehicle, 'handle'> | null {
  const view = track.getView()
  if (!view || view.seen < at - hiddenAfterMs) return null
  const state = isLost(view.seen, at, lostAfterMs) ? 'lost' : view.state
  return { operator, deviceId, vehicleId, vehicleType, ...view, state, source: 'events' }
}

/** After this many days of silence a vehicle is no longer shown, not even as lost. */
export const hiddenAfterDays = 14
const hiddenAfterMs = hiddenAfterDays * 24 * hourMs

/** Records before this time (ms) cannot affect what is shown at `at`. */
export const getOldestLiveTime = (at: number): number => at - hiddenAfterMs

/** The vehicles of a region that have events. Changes become visible with `showChanged`. */
export class TrackedFleet {
  readonly #shown: ShownVehicles
  readonly #vehicles = new Map<string, TrackedVehicle>()
  readonly #changed = new Set<TrackedVehicle>()
  /** The number of shown vehicles by operator. */
  readonly #counts = new Map<string, number>()

  constructor(shown: ShownVehicles) {
    this.#shown = shown
  }

  register({ operator, deviceId, vehicleId, vehicleType, received }: Registration): void {
    const vehicle = this.#findOrCreate(operator, deviceId)
    if (received < vehicle.registered) return
    Object.assign(vehicle, { vehicleId, vehicleType, registered: received })
  }

  addEvent(operator: string, deviceId: string, event: TrackEvent): void {
    this.#findOrCreate(operator, deviceId).track.addEvent(event)
  }

  addPoint(operator: string, deviceId: string, point: TrackPoint): void {
    this.#findOrCreate(operator, deviceId).track.addPoint(point)
  }

  /** Returns whether any vehicle of an operator is shown. */
  has(operator: string): boolean {
    return (this.#counts.get(operator) ?? 0) > 0
  }

  /** Shows the vehicles that changed since the last call, as of `at`. */
  showChanged(at: number, lostAfterHours: number): void {
    for (const vehicle of this.#changed) this.#show(vehicle, at, lostAfterHours * hourMs)
    this.#changed.clear()
  }

  /** Updates all vehicles to `at`. Those no longer shown are removed, except for their registrations. */
  showAll(at: number, lostAfterHours: number): void {
    for (const [key, vehicle] of this.#vehicles) {
      this.#show(vehicle, at, lostAfterHours * hourMs)
      if (vehicle.track.lastContact >= getOldestLiveTime(at)) continue
      if (vehicle.registered > 0) vehicle.track = new VehicleTrack()
      else this.#vehicles.delete(key)
    }
    this.#changed.clear()
  }

  #findOrCreate(operator: string, deviceId: string): TrackedVehicle {
    const key = `${operator} ${deviceId}`
    let vehicle = this.#vehicles.get(key)
    if (!vehicle) this.#vehicles.set(key, (vehicle = createTrackedVehicle(operator, deviceId)))
    this.#changed.add(vehicle)
    return vehicle
  }

  #show(vehicle: TrackedVehicle, at: number, lostAfterMs: number): void {
    const { operator, shown } = vehicle
    const view = getCurrentView(vehicle, at, lostAfterMs, hiddenAfterMs)
    if (view) vehicle.shown = this.#shown.show(view, shown)
    else if (shown) {
      this.#shown.hide(shown)
      vehicle.shown = null
    }
    const change = Number(vehicle.shown !== null) - Number(shown !== null)
    if (change !== 0) this.#counts.set(operator, (this.#counts.get(operator) ?? 0) + change)
  }
}
