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
  /**
   * Actual start and end on the street graph, as an edge and meters
   * along it. Reported positions may be wrong.
   */
  startEdge: number
  startOffset: number
  endEdge: number
  endOffset: number
  /** Along the streets. */
  distanceM: number
  durationS: number
}
