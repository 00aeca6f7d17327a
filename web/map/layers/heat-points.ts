/** A position that counts once. */
export interface HeatPoint {
  lon: number
  lat: number
}

/** Points of a heat map, and its colors from sparse to dense. */
export interface HeatPoints {
  points: readonly HeatPoint[]
  colors: readonly string[]
}
