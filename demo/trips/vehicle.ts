import type { DemoOperator, DemoVehicleType } from '../operators.ts'

/** A vehicle and where it stands: `offset` metres along a street edge. */
export interface Vehicle {
  /** Place in the list of all vehicles of the city. */
  index: number
  id: string
  operator: DemoOperator
  /** Place of the operator in the list of operators. */
  operatorIndex: number
  vehicleType: DemoVehicleType
  /** -1 while it is not on the street. */
  edge: number
  offset: number
  /** UTC milliseconds of the end of its last trip. */
  busyUntil: number
}
