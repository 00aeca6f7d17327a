/** A parking place for vehicles (MDS Stop). */
export interface Stop {
  operator: string
  stopId: string
  name: string
  lon: number
  lat: number
  /** Ms since 1970. */
  lastUpdated: number
  /** The record as received, as JSON. */
  attributes: string
}
