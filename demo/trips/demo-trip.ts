/** A trip. The generator reuses the object, so it must be copied to be stored. */
export interface DemoTrip {
  operator: string
  vehicleType: string
  vehicleId: string
  /** Unique and stable. */
  tripNumber: number
  /** UTC milliseconds. */
  startMs: number
  endMs: number
  /** Days since 1970-01-01 of the local date of the start. */
  localDate: number
  localHour: number
  startLon: number
  startLat: number
  endLon: number
  endLat: number
  /** Actual start and end: an edge and meters along it. Reported positions may be wrong. */
  startEdge: number
  startOffset: number
  endEdge: number
  endOffset: number
  /** Along the streets. */
  distanceM: number
  durationS: number
}

/** Makes a UUID from the kind of object (`head`, 32 bits) and the number of the trip that it belongs to. */
export const makeDemoId = (head: number, number: number): string =>
  `${head.toString(16).padStart(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`

export const makeTripId = (tripNumber: number): string => makeDemoId(0, tripNumber)

/**
 * Splits a trip number into local day, index of the vehicle in the fleet, and sequence number within the day. The
 * lowest 7 bits are the sequence number, the next 13 the vehicle.
 */
export const splitTripNumber = (tripNumber: number): { day: number; vehicle: number; sequence: number } => ({
  day: Math.floor(tripNumber / (8192 * 128)),
  vehicle: Math.floor(tripNumber / 128) % 8192,
  sequence: tripNumber % 128,
})
