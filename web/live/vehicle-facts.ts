import type { LiveState, VehicleDay } from '#contract/vehicles.ts'
import type { VehicleType } from '#contract/mobility.ts'
import { type FleetColumns, unknownBattery } from './fleet-columns.ts'

/** Facts about a vehicle from any source. Times are in ms since 1970. */
export interface VehicleFacts {
  operator: string
  vehicleId: string
  vehicleType: VehicleType
  state: LiveState
  /** Percent; null if unknown. */
  battery: number | null
  /** Longitude and latitude of the last known place; null if there is none. */
  place: readonly [lon: number, lat: number] | null
  /** Since when the vehicle is in its state. */
  since: number
  /** The last contact. */
  seen: number
}

/** Returns the facts of a vehicle in the columns; null if it is not there. */
export function getVehicleFacts(columns: FleetColumns, id: string): VehicleFacts | null {
  const handle = columns.find(id)
  if (handle < 0) return null
  const { operator, vehicle_type } = columns.getGroup(handle)
  const battery = columns.battery[handle]!
  const lon = columns.lon[handle]!
  const lat = columns.lat[handle]!
  return {
    operator,
    vehicleId: columns.vehicleIds[handle]!,
    vehicleType: vehicle_type,
    state: columns.getState(handle),
    battery: battery === unknownBattery ? null : battery,
    place: Number.isNaN(lon) || Number.isNaN(lat) ? null : [lon, lat],
    since: columns.since[handle]!,
    seen: columns.seen[handle]!,
  }
}

/** Returns the facts of a vehicle that is not in the columns, at the end of its day. */
export const factsOfDay = (day: VehicleDay): VehicleFacts => ({
  operator: day.operator,
  vehicleId: day.vehicle_id,
  vehicleType: day.vehicle_type,
  state: day.state,
  battery: day.battery,
  place: day.lon === null || day.lat === null ? null : [day.lon, day.lat],
  since: day.since,
  seen: day.seen,
})
