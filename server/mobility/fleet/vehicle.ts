import type { VehicleType } from '#contract/mobility.ts'

/** One vehicle as its operator registered it (MDS Vehicle), in our words. */
export interface Vehicle {
  operator: string
  deviceId: string
  /** The number printed on it. */
  vehicleId: string
  vehicleType: VehicleType
  /** MDS mode: micromobility where the feed names none. */
  mode: string
  propulsionTypes: readonly string[]
  /** The whole record as received, as JSON: what we have no column for, and what GET /vehicles answers. */
  attributes: string
}
