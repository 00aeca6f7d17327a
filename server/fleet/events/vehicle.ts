import type { VehicleType } from '#contract/mobility.ts'

/** One vehicle as its operator registered it (MDS Vehicle), in our words. */
export interface Vehicle {
  operator: string
  deviceId: string
  /** The number printed on it. */
  vehicleId: string
  vehicleType: VehicleType
  /** MDS mode: micromobility by default. */
  mode: string
  propulsionTypes: readonly string[]
  /** The whole record as received, as JSON: fields without a column, and the response of GET /vehicles. */
  attributes: string
}
