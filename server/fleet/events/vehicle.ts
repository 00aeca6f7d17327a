import type { VehicleType } from '#contract/mobility.ts'

/** A vehicle as registered by its operator (MDS Vehicle). */
export interface Vehicle {
  operator: string
  deviceId: string
  /** The number printed on it. */
  vehicleId: string
  vehicleType: VehicleType
  /** MDS mode: micromobility by default. */
  mode: string
  propulsionTypes: readonly string[]
  /** The record as received, as JSON: has the fields without a column, and is returned by GET /vehicles. */
  attributes: string
}
