import type { VehicleType } from '#contract/mobility.ts'
import type { LiveVehicle } from './live-vehicle.ts'
import { VehicleTrack } from './vehicle-track.ts'

/** A vehicle that its operator's events tell of: what was heard of it, how it is registered, what is shown of it. */
export interface TrackedVehicle {
  operator: string
  deviceId: string
  vehicleId: string
  vehicleType: VehicleType
  /** When that was received, ms. */
  registered: number
  track: VehicleTrack
  shown: LiveVehicle | null
}

export const newTracked = (operator: string, deviceId: string): TrackedVehicle => ({
  operator,
  deviceId,
  vehicleId: deviceId,
  vehicleType: 'other',
  registered: 0,
  track: new VehicleTrack(),
  shown: null,
})

/** What is to be shown of it at a moment; null: nothing, since no state is known or it has been silent for too long. */
export function viewOf(
  { operator, deviceId, vehicleId, vehicleType, track }: TrackedVehicle,
  at: number,
  lostAfterMs: number,
  forgottenAfterMs: number,
): Omit<LiveVehicle, 'handle'> | null {
  const view = track.view()
  if (!view || view.seen < at - forgottenAfterMs) return null
  const state = view.seen < at - lostAfterMs ? 'lost' : view.state
  return { operator, deviceId, vehicleId, vehicleType, ...view, state, source: 'events' }
}
