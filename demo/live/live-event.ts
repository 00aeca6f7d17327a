import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import type { Vehicle } from '../trips/vehicle.ts'

/** An event of a vehicle, independent of any protocol. */
export interface LiveEvent {
  vehicle: LiveVehicle
  /** One of `createEventKinds`; forms the ID together with `number`. */
  kind: number
  /** Number of the trip that the event belongs to. */
  number: number
  /** Milliseconds since 1970. */
  time: number
  state: VehicleState
  types: readonly EventType[]
  /** The current trip; null if there is none. */
  trip: number | null
  lon: number
  lat: number
  /** Percent; NaN for a vehicle without a battery. */
  battery: number
}

export type LiveVehicle = Pick<Vehicle, 'index' | 'id' | 'operator' | 'vehicleType'>

/** A telemetry point of a trip, independent of any protocol. */
export interface LivePoint {
  vehicle: LiveVehicle
  trip: number
  /** Index of the point within the trip. */
  index: number
  /** Milliseconds since 1970. */
  time: number
  lon: number
  lat: number
  /** Meters per second. */
  speed: number
  /** Degrees from north. */
  heading: number
  /** Percent; NaN for a vehicle without a battery. */
  battery: number
}
