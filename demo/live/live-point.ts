import type { LiveVehicle } from './live-event.ts'

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
