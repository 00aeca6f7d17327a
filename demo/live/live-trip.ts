import type { DemoTrip } from '../trips/demo-trip.ts'
import type { RestEnd } from './rest-times.ts'

/** A trip of the live model: a copy that is kept. */
export type LiveTrip = Readonly<Omit<DemoTrip, 'operator' | 'vehicleType' | 'vehicleId' | 'localHour'>>

export const keptTrip = (trip: DemoTrip): LiveTrip => {
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

export const startOf = ({ tripNumber, startMs, startLon, startLat }: LiveTrip): RestEnd => ({
  number: tripNumber,
  time: startMs,
  lon: startLon,
  lat: startLat,
})
export const endOf = ({ tripNumber, endMs, endLon, endLat }: LiveTrip): RestEnd => ({
  number: tripNumber,
  time: endMs,
  lon: endLon,
  lat: endLat,
})
