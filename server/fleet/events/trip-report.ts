/** A trip as its operator reported it (MDS Trip), in our words. Times are ms since 1970, meters, seconds; NaN: not known. */
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
  /** What we have no column for (costs, parking, mode attributes), as JSON; '' for nothing. */
  attributes: string
}
