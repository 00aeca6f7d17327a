import type { DemoOperator, DemoVehicleType } from '../operators.ts'

/** A vehicle and its position: `offset` meters along a street edge. */
export interface Vehicle {
  /** Index in the list of all vehicles of the city. */
  index: number
  id: string
  operator: DemoOperator
  /** Index of the operator in the list of operators. */
  operatorIndex: number
  vehicleType: DemoVehicleType
  /** Index of the street edge, or `offStreet`. */
  edge: number
  offset: number
  /** UTC milliseconds of the end of its last trip. */
  busyUntil: number
}

/** The edge of a vehicle that is not deployed. */
export const offStreet = -1
export const isOnStreet = ({ edge }: Vehicle): boolean => edge !== offStreet
