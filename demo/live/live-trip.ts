import type { DemoTrip } from '../trips/demo-trip.ts'
import type { TripEndpoint } from './parking-times.ts'

/** A trip of the fleet simulation. */
export type LiveTrip = Readonly<Omit<DemoTrip, 'operator' | 'vehicleType' | 'vehicleId' | 'localHour'>>

export const getStart = ({ tripNumber, startMs, startLon, startLat }: LiveTrip): TripEndpoint => ({
  number: tripNumber,
  time: startMs,
  lon: startLon,
  lat: startLat,
})
export const getEnd = ({ tripNumber, endMs, endLon, endLat }: LiveTrip): TripEndpoint => ({
  number: tripNumber,
  time: endMs,
  lon: endLon,
  lat: endLat,
})
