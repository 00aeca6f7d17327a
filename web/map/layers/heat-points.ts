export interface HeatPoint {
  lon: number
  lat: number
}

/** Points whose density is shown, and the colours from sparse to dense. */
export interface HeatPoints {
  points: readonly HeatPoint[]
  colors: readonly string[]
}
