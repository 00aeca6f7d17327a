import { isArea, type Geometry, getPolygons, type Position } from '#contract/place.ts'

/** A place in degrees (WGS 84). */
interface Place {
  lon: number
  lat: number
}

const radians = Math.PI / 180
/** Of WGS 84, in meters. */
const semiMajorAxis = 6_378_137
/** Squared eccentricity of WGS 84. */
const eccentricity2 = 0.006_694_379_990_14

/**
 * Returns the distance between two places in meters, from the curvature of the ellipsoid at their mean
 * latitude. Accurate to a millimeter per kilometer over short distances.
 */
export function measureDistance(a: Place, b: Place): number {
  const middleLat = ((a.lat + b.lat) / 2) * radians
  const w2 = 1 - eccentricity2 * Math.sin(middleLat) ** 2
  const deltaLon = Math.abs(a.lon - b.lon) % 360
  const east =
    (semiMajorAxis / Math.sqrt(w2)) * Math.cos(middleLat) * Math.min(deltaLon, 360 - deltaLon) * radians
  const north = ((semiMajorAxis * (1 - eccentricity2)) / w2 ** 1.5) * (a.lat - b.lat) * radians
  return Math.hypot(east, north)
}

/** Returns the length of a line in meters. */
export function measureLineLength(line: readonly (readonly [lon: number, lat: number])[]): number {
  let meters = 0
  for (const [index, [lon, lat]] of line.entries()) {
    const [previousLon, previousLat] = line[index - 1] ?? [lon, lat]
    meters += measureDistance({ lon: previousLon, lat: previousLat }, { lon, lat })
  }
  return meters
}

/** Meters per degree of latitude, and of longitude at the equator. */
const metersPerDegree = 111_320

/**
 * Returns the meters from a place to a geometry; 0 inside an area. Computed on a plane through the place,
 * which is accurate to a millimeter over short distances.
 */
export function measureDistanceToGeometry([lon, lat]: Position, geometry: Geometry): number {
  const metersPerLonDegree = Math.cos(lat * radians) * metersPerDegree
  const project = ([x, y]: Position): Position => [
    (x - lon) * metersPerLonDegree,
    (y - lat) * metersPerDegree,
  ]
  const measureDistanceToLine = (line: readonly Position[]): number => {
    let nearest = Infinity
    let previous = line[0]
    for (const position of line) {
      nearest = Math.min(nearest, measureDistanceToSegment(project(previous ?? position), project(position)))
      previous = position
    }
    return nearest
  }
  if (isArea(geometry)) {
    const distances = getPolygons(geometry).map((rings) =>
      // Inside the outer ring and in no hole, by the even-odd rule.
      rings.filter((ring) => surroundsOrigin(ring.map(project))).length % 2 === 1
        ? 0
        : Math.min(...rings.map(measureDistanceToLine)),
    )
    return Math.min(...distances)
  }
  if (geometry.type === 'Point') return measureDistanceToLine([geometry.coordinates])
  if (geometry.type === 'MultiLineString') return Math.min(...geometry.coordinates.map(measureDistanceToLine))
  if (geometry.type === 'MultiPoint')
    return Math.min(...geometry.coordinates.map((point) => measureDistanceToLine([point])))
  return measureDistanceToLine(geometry.coordinates)
}

/** Returns the distance of a segment from the origin. */
function measureDistanceToSegment([ax, ay]: Position, [bx, by]: Position): number {
  const dx = bx - ax
  const dy = by - ay
  const length2 = dx * dx + dy * dy
  const along = length2 ? Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length2)) : 0
  return Math.hypot(ax + along * dx, ay + along * dy)
}

function surroundsOrigin(ring: readonly Position[]): boolean {
  let inside = false
  for (const [index, [bx, by]] of ring.entries()) {
    const [ax, ay] = ring[index - 1] ?? ring.at(-1)!
    if (ay > 0 !== by > 0 && 0 < ((bx - ax) * -ay) / (by - ay) + ax) inside = !inside
  }
  return inside
}
