import { isArea, polygonsOf, type Geometry, type Position } from '#contract/place.ts'

/** Area in square meters, and perimeter or length in meters; null if a geometry has none. */
export interface Measure {
  area: number | null
  perimeter: number | null
  length: number | null
}

const radius = 6_371_008.8
const rad = Math.PI / 180

/** Distance between two positions on the sphere, in meters. */
export function metersBetween([lon1, lat1]: Position, [lon2, lat2]: Position): number {
  const [dLat, dLon] = [(lat2 - lat1) * rad, (lon2 - lon1) * rad]
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(lat1 * rad) * Math.cos(lat2 * rad) * Math.sin(dLon / 2) ** 2
  return 2 * radius * Math.asin(Math.min(1, Math.sqrt(h)))
}

const along = (line: readonly Position[]): number =>
  line.slice(1).reduce((sum, place, at) => sum + metersBetween(line[at]!, place), 0)

/** Area of a ring on the sphere, in square meters; independent of its direction. */
function inRing(ring: readonly Position[]): number {
  let sum = 0
  for (let at = 0; at < ring.length; at++) {
    const [[lon1, lat1], [lon2, lat2]] = [ring[at]!, ring[(at + 1) % ring.length]!]
    sum += (lon2 - lon1) * rad * (2 + Math.sin(lat1 * rad) + Math.sin(lat2 * rad))
  }
  return Math.abs((sum * radius * radius) / 2)
}

/** The size of a geometry on the ground. Holes add to the perimeter and reduce the area. */
export function measure(geometry: Geometry): Measure {
  if (isArea(geometry)) {
    const polygons = polygonsOf(geometry)
    const area = polygons.reduce(
      (sum, rings) => sum + rings.reduce((left, ring, at) => left + (at === 0 ? 1 : -1) * inRing(ring), 0),
      0,
    )
    return {
      area: Math.max(0, area),
      perimeter: polygons.flat().reduce((sum, ring) => sum + along(ring), 0),
      length: null,
    }
  }
  const lines =
    geometry.type === 'LineString'
      ? [geometry.coordinates]
      : geometry.type === 'MultiLineString'
        ? geometry.coordinates
        : null
  return { area: null, perimeter: null, length: lines && lines.reduce((sum, line) => sum + along(line), 0) }
}
