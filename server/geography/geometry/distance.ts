import { isArea, type Geometry, polygonsOf, type Position } from '#contract/place.ts'

/** Degrees in WGS 84. */
interface Place {
  lon: number
  lat: number
}

const radians = Math.PI / 180
/** WGS 84: semi-major axis in meters, and squared eccentricity. */
const [semiMajorAxis, eccentricity2] = [6_378_137, 0.006_694_379_990_14]

/**
 * Distance of two places in meters, by the curvature of the ellipsoid halfway between them. Accurate to a
 * millimeter per kilometer at short distances.
 */
export function metersBetween(one: Place, other: Place): number {
  const middleLat = ((one.lat + other.lat) / 2) * radians
  const w2 = 1 - eccentricity2 * Math.sin(middleLat) ** 2
  const deltaLon = Math.abs(one.lon - other.lon) % 360
  const east =
    (semiMajorAxis / Math.sqrt(w2)) * Math.cos(middleLat) * Math.min(deltaLon, 360 - deltaLon) * radians
  const north = ((semiMajorAxis * (1 - eccentricity2)) / w2 ** 1.5) * (one.lat - other.lat) * radians
  return Math.hypot(east, north)
}

/** Length of a line in meters. */
export function lineLength(line: readonly (readonly [lon: number, lat: number])[]): number {
  let meters = 0
  for (const [at, [lon, lat]] of line.entries()) {
    const [previousLon, previousLat] = line[at - 1] ?? [lon, lat]
    meters += metersBetween({ lon: previousLon, lat: previousLat }, { lon, lat })
  }
  return meters
}

const metersPerDegree = 111_320

/** Meters from a place to a geometry; 0 inside an area. On a plane at the place, which is exact to a millimeter at such distances. */
export function metersToGeometry([lon, lat]: Position, geometry: Geometry): number {
  const east = Math.cos((lat * Math.PI) / 180) * metersPerDegree
  const plane = ([x, y]: Position): Position => [(x - lon) * east, (y - lat) * metersPerDegree]
  const toLine = (line: readonly Position[]): number => {
    let nearest = Infinity
    let before = line[0]
    for (const at of line) {
      nearest = Math.min(nearest, toSegment(plane(before ?? at), plane(at)))
      before = at
    }
    return nearest
  }
  if (isArea(geometry)) {
    const distances = polygonsOf(geometry).map((rings) =>
      rings.filter((ring) => surroundsOrigin(ring.map(plane))).length % 2 === 1
        ? 0
        : Math.min(...rings.map(toLine)),
    )
    return Math.min(...distances)
  }
  if (geometry.type === 'Point') return toLine([geometry.coordinates])
  if (geometry.type === 'MultiLineString') return Math.min(...geometry.coordinates.map(toLine))
  if (geometry.type === 'MultiPoint') return Math.min(...geometry.coordinates.map((each) => toLine([each])))
  return toLine(geometry.coordinates)
}

/** Distance of the origin to a segment. */
function toSegment([ax, ay]: Position, [bx, by]: Position): number {
  const [dx, dy] = [bx - ax, by - ay]
  const length2 = dx * dx + dy * dy
  const along = length2 ? Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length2)) : 0
  return Math.hypot(ax + along * dx, ay + along * dy)
}

function surroundsOrigin(ring: readonly Position[]): boolean {
  let inside = false
  for (const [at, [bx, by]] of ring.entries()) {
    const [ax, ay] = ring[at - 1] ?? ring.at(-1)!
    if (ay > 0 !== by > 0 && 0 < ((bx - ax) * -ay) / (by - ay) + ax) inside = !inside
  }
  return inside
}
