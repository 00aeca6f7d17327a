/** One trip. The generator fills one such object again and again: copy what is to be kept. */
export interface DemoTrip {
  operator: string
  vehicleType: string
  vehicleId: string
  /** Unique, and the same whenever the trip is generated. */
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
  /** Where on the streets it really starts and ends: an edge, and metres along it. */
  startEdge: number
  startOffset: number
  endEdge: number
  endOffset: number
  /** Along the streets. */
  distanceM: number
  durationS: number
}
