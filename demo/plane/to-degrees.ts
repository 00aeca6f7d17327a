import type { Point } from './point.ts'

const METRES_PER_DEGREE = 111_195

/** From metres around a place to degrees rounded to 6 decimals (about 0.1 m). */
export function toDegrees(lon0: number, lat0: number, [x, y]: Point): [number, number] {
  const lon = lon0 + x / (METRES_PER_DEGREE * Math.cos((lat0 * Math.PI) / 180))
  const lat = lat0 + y / METRES_PER_DEGREE
  return [Math.round(lon * 1e6) / 1e6, Math.round(lat * 1e6) / 1e6]
}
