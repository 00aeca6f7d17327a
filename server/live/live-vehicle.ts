import type { LiveSource, LiveState } from '#contract/vehicles.ts'
import type { VehicleType } from '#contract/mobility.ts'

/** The current state of a vehicle. Times are ms since 1970; NaN means unknown. */
export interface LiveVehicle {
  /** A small integer that identifies the vehicle in change messages for as long as it is shown. */
  handle: number
  operator: string
  /** The number printed on the vehicle; its device id if it was never registered. */
  vehicleId: string
  /** Empty for a snapshot. */
  deviceId: string
  vehicleType: VehicleType
  state: LiveState
  /** The time of the latest event, which determines the state. */
  since: number
  /** The time of the last contact. */
  seen: number
  lon: number
  lat: number
  /** Percent. */
  battery: number
  source: LiveSource
}

/** Whether two versions of a vehicle look the same to viewers. Operator, device and source never change. */
export const isSameVehicle = (a: Omit<LiveVehicle, 'handle'>, b: Omit<LiveVehicle, 'handle'>): boolean =>
  a.state === b.state &&
  a.since === b.since &&
  a.seen === b.seen &&
  Object.is(a.lon, b.lon) &&
  Object.is(a.lat, b.lat) &&
  Object.is(a.battery, b.battery) &&
  a.vehicleId === b.vehicleId &&
  a.vehicleType === b.vehicleType
