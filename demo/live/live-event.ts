import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import type { Vehicle } from '../trips/vehicle.ts'

/** An event of a vehicle of the model, before any protocol writes it. */
export interface LiveEvent {
  vehicle: LiveVehicle
  /** With the number of the trip that it belongs to, its id. */
  kind: number
  number: number
  /** Ms since 1970. */
  time: number
  state: VehicleState
  types: readonly EventType[]
  /** The trip under way; null for none. */
  trip: number | null
  lon: number
  lat: number
  /** Percent; NaN for a vehicle without a battery. */
  battery: number
}

export type LiveVehicle = Pick<Vehicle, 'index' | 'id' | 'operator' | 'vehicleType'>

/** Where a vehicle is or was during a trip, before any protocol writes it. */
export interface LivePoint {
  vehicle: LiveVehicle
  trip: number
  /** The how many-th point of the trip. */
  index: number
  /** Ms since 1970. */
  time: number
  lon: number
  lat: number
  /** Metres per second. */
  speed: number
  /** Degrees from north. */
  heading: number
  /** Percent; NaN for a vehicle without a battery. */
  battery: number
}
