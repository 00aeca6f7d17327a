import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import type { Place } from './rule.ts'

/** What a vehicle told at one moment: from then on it is in that state. A place of NaN is not told: it is in no area. */
export interface Step extends Place {
  /** Epoch ms. */
  at: number
  state: VehicleState
  /** In the order in which they happened. */
  types: readonly EventType[]
  /** Metres; NaN: unknown. */
  accuracy: number
  /** m/s; NaN: unknown. */
  speed: number
  /** Its place among all that was told, where that is known: of two arrivals at one instant the one told later is the newer. */
  order?: number
}

/** A vehicle with what it told, in order of time. */
export interface VehicleTrack {
  deviceId: string
  providerId: string
  vehicleType: string
  propulsionTypes: readonly string[]
  accessibility: readonly string[]
  /** Mode of MDS, where it is told. */
  mode?: string | null
  steps: readonly Step[]
}
