import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import type { Place } from './rule.ts'

/** A report of a vehicle: from then on it is in that state. A place of NaN is unknown and in no area. */
export interface Step extends Place {
  /** Epoch ms. */
  at: number
  state: VehicleState
  /** In the order in which they happened. */
  types: readonly EventType[]
  /** Meters; NaN: unknown. */
  accuracy: number
  /** m/s; NaN: unknown. */
  speed: number
  /** The order of reports, if known: of two arrivals at one instant the later report is the newer. */
  order?: number
}

/** A vehicle with its reports in order of time. */
export interface VehicleTrack {
  deviceId: string
  providerId: string
  vehicleType: string
  propulsionTypes: readonly string[]
  accessibility: readonly string[]
  /** Mode of MDS, if reported. */
  mode?: string | null
  steps: readonly Step[]
}
