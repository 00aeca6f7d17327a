import { isLost } from '#server/regions/lost-vehicles.ts'
import type { VehicleType } from '#contract/mobility.ts'
import type { ShownVehicles } from './shown-vehicles.ts'
import { type TrackEvent, type TrackPoint, VehicleTrack } from './vehicle-track.ts'
import type { LiveVehicle } from './live-vehicle.ts'

/** A vehicle with events: its track, registration, and what is shown. */
interface TrackedVehicle {
  operator: string
  deviceId: string
  vehicleId: string
  vehicleType: VehicleType
  /** When that was received, ms. */
  registered: number
  track: VehicleTrack
  shown: LiveVehicle | null
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

/** What is to be shown of it at a moment; null: nothing, since no state is known or it has been silent for too long. */
function currentView(
  { operator, deviceId, vehicleId, vehicleType, track }: TrackedVehicle,
  at: number,
  lostAfterMs: number,
  forgottenAfterMs: number,
): Omit<LiveVehicle, 'handle'> | null {
  const view = track.view()
  if (!view || view.seen < at - forgottenAfterMs) return null
  const state = isLost(view.seen, at, lostAfterMs) ? 'lost' : view.state
  return { operator, deviceId, vehicleId, vehicleType, ...view, state, source: 'events' }
}

const hourMs = 3_600_000

/** After this many days of silence a vehicle is no longer shown, not even as lost. */
export const forgottenAfterDays = 14
const forgottenAfterMs = forgottenAfterDays * 24 * hourMs

/** Earlier records cannot change what is shown at a moment. */
export const tooOldAt = (at: number): number => at - forgottenAfterMs

/** The vehicles of a region that have events. Changes are visible after `showChanged`. */
export class TrackedFleet {
  readonly #shown: ShownVehicles
  readonly #vehicles = new Map<string, TrackedVehicle>()
  readonly #changed = new Set<TrackedVehicle>()
  /** Shown vehicles by operator. */
  readonly #counts = new Map<string, number>()

  constructor(shown: ShownVehicles) {
    this.#shown = shown
  }

  register(
    operator: string,
    deviceId: string,
    vehicleId: string,
    vehicleType: VehicleType,
    received: number,
  ): void {
    const vehicle = this.#find(operator, deviceId)
    if (received < vehicle.registered) return
    Object.assign(vehicle, { vehicleId, vehicleType, registered: received })
  }

  addEvent(operator: string, deviceId: string, event: TrackEvent): void {
    this.#find(operator, deviceId).track.addEvent(event)
  }

  addPoint(operator: string, deviceId: string, point: TrackPoint): void {
    this.#find(operator, deviceId).track.addPoint(point)
  }

  /** Whether any vehicle of an operator is shown. */
  has(operator: string): boolean {
    return (this.#counts.get(operator) ?? 0) > 0
  }

  /** Shows the changes since the last call, as of a moment. */
  showChanged(at: number, lostAfterHours: number): void {
    for (const vehicle of this.#changed) this.#show(vehicle, at, lostAfterHours * hourMs)
    this.#changed.clear()
  }

  /** Shows all as they are at a moment: some are lost by then. What is forgotten leaves the memory, but how a vehicle is registered: that is not reported again. */
  showAll(at: number, lostAfterHours: number): void {
    for (const [key, vehicle] of this.#vehicles) {
      this.#show(vehicle, at, lostAfterHours * hourMs)
      if (vehicle.track.lastContact >= tooOldAt(at)) continue
      if (vehicle.registered > 0) vehicle.track = new VehicleTrack()
      else this.#vehicles.delete(key)
    }
    this.#changed.clear()
  }

  #find(operator: string, deviceId: string): TrackedVehicle {
    const key = `${operator} ${deviceId}`
    let vehicle = this.#vehicles.get(key)
    if (!vehicle) this.#vehicles.set(key, (vehicle = createTrackedVehicle(operator, deviceId)))
    this.#changed.add(vehicle)
    return vehicle
  }

  #show(vehicle: TrackedVehicle, at: number, lostAfterMs: number): void {
    const { operator, shown } = vehicle
    const view = currentView(vehicle, at, lostAfterMs, forgottenAfterMs)
    if (view) vehicle.shown = this.#shown.show(view, shown)
    else if (shown) {
      this.#shown.hide(shown)
      vehicle.shown = null
    }
    const change = Number(vehicle.shown !== null) - Number(shown !== null)
    if (change !== 0) this.#counts.set(operator, (this.#counts.get(operator) ?? 0) + change)
  }
}
