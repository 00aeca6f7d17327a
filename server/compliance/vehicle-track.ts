import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import type { Place } from './rule.ts'

/** A report of a vehicle's state, which lasts until the next one. A place of NaN is unknown, in no area. */
export interface Step extends Place {
  /** Epoch ms. */
  at: number
  state: VehicleState
  /** Event types in the order in which they happened. */
  types: readonly EventType[]
  /** Meters; NaN if unknown. */
  accuracy: number
  /** m/s; NaN if unknown. */
  speed: number
  /** Position among all reports, if known. It decides between two arrivals at the same instant. */
  order?: number
}

/** A vehicle with its reports in order of time. */
export interface VehicleTrack {
  deviceId: string
  providerId: string
  vehicleType: string
  propulsionTypes: readonly string[]
  accessibility: readonly string[]
  /** The MDS mode, if reported. */
  mode?: string | null
  steps: readonly Step[]
}
