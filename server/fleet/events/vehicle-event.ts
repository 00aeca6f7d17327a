import type { EventType, VehicleState } from '#contract/vehicle-states.ts'

/** An event of a vehicle, from any kind of feed. Times are ms since 1970; NaN: unknown. */
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
