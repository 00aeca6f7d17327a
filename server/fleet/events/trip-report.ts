/** A trip as reported by its operator (MDS Trip). Times in ms since 1970, meters, seconds; NaN: unknown. */
export interface TripReport {
  operator: string
  tripId: string
  deviceId: string
  startTime: number
  endTime: number
  startLon: number
  startLat: number
  endLon: number
  endLat: number
  distance: number
  duration: number
  /** When the operator published it; 0: not reported. */
  published: number
  /** Fields without a column (costs, parking, mode attributes), as JSON; '' if there are none. */
  attributes: string
}
