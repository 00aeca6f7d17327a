/** A position in meters east and north of the city's center. */
export type Point = readonly [number, number]

const metersPerDegree = 111_195

/** Converts meters relative to a center to degrees, rounded to 6 decimals (about 0.1 m). */
export function toDegrees(lon0: number, lat0: number, [x, y]: Point): [number, number] {
  const lon = lon0 + x / (metersPerDegree * Math.cos((lat0 * Math.PI) / 180))
  const lat = lat0 + y / metersPerDegree
  return [Math.round(lon * 1e6) / 1e6, Math.round(lat * 1e6) / 1e6]
}
