import type { DemoTrip } from '../trips/demo-trip.ts'
import type { TripEndpoint } from './parking-times.ts'

/** A trip of the live model: an immutable copy of a generated trip. */
export type LiveTrip = Readonly<Omit<DemoTrip, 'operator' | 'vehicleType' | 'vehicleId' | 'localHour'>>

export const copyTrip = (trip: DemoTrip): LiveTrip => {
  const {
    tripNumber,
    startMs,
    endMs,
    localDate,
    startLon,
    startLat,
    endLon,
    endLat,
    startEdge,
    startOffset,
    endEdge,
    endOffset,
    distanceM,
    durationS,
  } = trip
  return {
    tripNumber,
    startMs,
    endMs,
    localDate,
    startLon,
    startLat,
    endLon,
    endLat,
    startEdge,
    startOffset,
    endEdge,
    endOffset,
    distanceM,
    durationS,
  }
}

export const startOf = ({ tripNumber, startMs, startLon, startLat }: LiveTrip): TripEndpoint => ({
  number: tripNumber,
  time: startMs,
  lon: startLon,
  lat: startLat,
})
export const endOf = ({ tripNumber, endMs, endLon, endLat }: LiveTrip): TripEndpoint => ({
  number: tripNumber,
  time: endMs,
  lon: endLon,
  lat: endLat,
})
