import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import type { Place } from './rule.ts'

/** What a vehicle told at one moment: from then on it is in that state. */
export interface Step extends Place {
  /** Epoch ms. */
  at: number
  state: VehicleState
  /** In the order in which they happened. */
  types: readonly EventType[]
  /** Metres; NaN: not told. */
  accuracy: number
  /** m/s; NaN: not told. */
  speed: number
}

/** A vehicle with what it told, in order of time. */
export interface VehicleTrack {
  deviceId: string
  providerId: string
  vehicleType: string
  propulsionTypes: readonly string[]
  accessibility: readonly string[]
  steps: readonly Step[]
}
