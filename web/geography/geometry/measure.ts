import { isArea, getPolygons, type Geometry, type Position } from '#contract/place.ts'

/** Area in square meters, and perimeter or length in meters; null if a geometry has none. */
export interface Measure {
  area: number | null
  perimeter: number | null
  length: number | null
}

const earthRadiusMeters = 6_371_008.8
const radiansPerDegree = Math.PI / 180

/** Distance between two positions on the sphere, in meters. */
export function metersBetween([lon1, lat1]: Position, [lon2, lat2]: Position): number {
  const dLat = (lat2 - lat1) * radiansPerDegree
  const dLon = (lon2 - lon1) * radiansPerDegree
  const haversine =
    Math.sin(dLat / 2) ** 2 +
    Math.cos(lat1 * radiansPerDegree) * Math.cos(lat2 * radiansPerDegree) * Math.sin(dLon / 2) ** 2
  return 2 * earthRadiusMeters * Math.asin(Math.min(1, Math.sqrt(haversine)))
}

const lineLength = (line: readonly Position[]): number =>
  line.slice(1).reduce((sum, place, index) => sum + metersBetween(line[index]!, place), 0)

/** Area of a ring on the sphere, in square meters; independent of its direction. */
function ringArea(ring: readonly Position[]): number {
  let sum = 0
  for (const [index, [lon1, lat1]] of ring.entries()) {
    const [lon2, lat2] = ring[(index + 1) % ring.length]!
    sum +=
      (lon2 - lon1) *
      radiansPerDegree *
      (2 + Math.sin(lat1 * radiansPerDegree) + Math.sin(lat2 * radiansPerDegree))
  }
  return Math.abs((sum * earthRadiusMeters * earthRadiusMeters) / 2)
}

/** Returns the size of a geometry on the ground. Holes add to the perimeter and reduce the area. */
export function measure(geometry: Geometry): Measure {
  if (isArea(geometry)) {
    const polygons = getPolygons(geometry)
    const area = polygons.reduce(
      (sum, rings) =>
        sum + rings.reduce((net, ring, index) => net + (index === 0 ? 1 : -1) * ringArea(ring), 0),
      0,
    )
    return {
      area: Math.max(0, area),
      perimeter: polygons.flat().reduce((sum, ring) => sum + lineLength(ring), 0),
      length: null,
    }
  }
  const isLine = geometry.type === 'LineString' || geometry.type === 'MultiLineString'
  const length = getLines(geometry).reduce((sum, line) => sum + lineLength(line), 0)
  return { area: null, perimeter: null, length: isLine ? length : null }
}

/** Returns the lines of a line or multi-line; none of other geometries. */
export function getLines(geometry: Geometry): Position[][] {
  if (geometry.type === 'LineString') return [geometry.coordinates]
  return geometry.type === 'MultiLineString' ? geometry.coordinates : []
}
