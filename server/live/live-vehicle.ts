import type { LiveSource, LiveState } from '#contract/vehicles.ts'
import type { VehicleType } from '#contract/mobility.ts'

/** A vehicle as it is now. Times are ms since 1970; NaN: not known. */
export interface LiveVehicle {
  /** By which changes name it: a small integer that stays with it as long as it is there. */
  handle: number
  operator: string
  /** The number printed on it; its device id if it was never registered. */
  vehicleId: string
  /** Empty for a snapshot. */
  deviceId: string
  vehicleType: VehicleType
  state: LiveState
  /** When the newest event happened, which gave the state. */
  since: number
  /** The time of the last contact. */
  seen: number
  lon: number
  lat: number
  /** Percent. */
  battery: number
  source: LiveSource
}

/** Whether a vehicle shows nothing that was not shown before. */
export const isSameVehicle = (a: Omit<LiveVehicle, 'handle'>, b: Omit<LiveVehicle, 'handle'>): boolean =>
  a.state === b.state &&
  a.since === b.since &&
  a.seen === b.seen &&
  Object.is(a.lon, b.lon) &&
  Object.is(a.lat, b.lat) &&
  Object.is(a.battery, b.battery) &&
  a.vehicleId === b.vehicleId &&
  a.vehicleType === b.vehicleType
