/** Where a vehicle was during a trip, in order of time, in meters on a plane. */
export interface Track {
  x: Float64Array
  y: Float64Array
}
