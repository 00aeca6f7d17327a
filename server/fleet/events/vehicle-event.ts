import type { EventType, VehicleState } from '#contract/vehicle-states.ts'

/** One event of one vehicle, in our words, whatever feed it came by. Times are ms since 1970; NaN: not known. */
export interface VehicleEvent {
  operator: string
  deviceId: string
  eventId: string
  time: number
  state: VehicleState
  /** In the order in which they happened. */
  types: readonly EventType[]
  tripIds: readonly string[]
  lon: number
  lat: number
  /** Meters. */
  accuracy: number
  /** Percent. */
  battery: number
  /** When the operator published it; 0: not reported. */
  published: number
}
