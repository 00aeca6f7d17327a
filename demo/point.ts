/** A place in metres east and north of the middle of the city. */
export type Point = readonly [number, number]

const metresPerDegree = 111_195

/** From metres around a place to degrees rounded to 6 decimals (about 0.1 m). */
export function toDegrees(lon0: number, lat0: number, [x, y]: Point): [number, number] {
  const lon = lon0 + x / (metresPerDegree * Math.cos((lat0 * Math.PI) / 180))
  const lat = lat0 + y / metresPerDegree
  return [Math.round(lon * 1e6) / 1e6, Math.round(lat * 1e6) / 1e6]
}
