/** The positions of a vehicle during a trip, sorted by time, in meters on a plane. */
export interface Track {
  x: Float64Array
  y: Float64Array
}
