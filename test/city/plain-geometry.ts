// Reference implementation of geometry, for comparison with the server's results.
import type { Geometry, Position } from '#contract/place.ts'

const listRings = (geometry: Geometry): Position[][] =>
  geometry.type === 'Polygon'
    ? geometry.coordinates
    : geometry.type === 'MultiPolygon'
      ? geometry.coordinates.flat()
      : []

const listLines = (geometry: Geometry): Position[][] =>
  geometry.type === 'LineString'
    ? [geometry.coordinates]
    : geometry.type === 'MultiLineString'
      ? geometry.coordinates
      : listRings(geometry)

/** Whether an area contains a point (even-odd rule). Borders belong to the area above or on the right. */
export function holds(geometry: Geometry, [x, y]: Position): boolean {
  let inside = false
  for (const ring of listRings(geometry))
    for (let i = 1; i < ring.length; i++) {
      const [ax, ay] = ring[i - 1] as Position
      const [bx, by] = ring[i] as Position
      if (ay <= y === by <= y) continue
      const crossing =
        ay < by ? ax + ((y - ay) * (bx - ax)) / (by - ay) : bx + ((y - by) * (ax - bx)) / (ay - by)
      if (crossing <= x) inside = !inside
    }
  return inside
}

/** Returns the meters per degree to the east and to the north at a latitude, on the WGS 84 ellipsoid. */
function getDegreeMeters(latitude: number): Position {
  const radiansPerDegree = Math.PI / 180
  const [equatorRadius, squaredEccentricity] = [6_378_137, 0.00669437999]
  const root = Math.sqrt(1 - squaredEccentricity * Math.sin(latitude * radiansPerDegree) ** 2)
  return [
    radiansPerDegree * (equatorRadius / root) * Math.cos(latitude * radiansPerDegree),
    radiansPerDegree * ((equatorRadius * (1 - squaredEccentricity)) / root ** 3),
  ]
}

/** Returns the meters from a point to the nearest border or line of a shape. */
export function getMetersToEdge(geometry: Geometry, [lon, lat]: Position): number {
  const [east, north] = getDegreeMeters(lat)
  let min = Infinity
  for (const line of listLines(geometry))
    for (let i = 1; i < line.length; i++) {
      const [ax, ay] = [
        ((line[i - 1] as Position)[0] - lon) * east,
        ((line[i - 1] as Position)[1] - lat) * north,
      ]
      const [bx, by] = [((line[i] as Position)[0] - lon) * east, ((line[i] as Position)[1] - lat) * north]
      const [dx, dy] = [bx - ax, by - ay]
      const along = Math.max(0, Math.min(1, -(ax * dx + ay * dy) / (dx * dx + dy * dy || 1)))
      min = Math.min(min, Math.hypot(ax + along * dx, ay + along * dy))
    }
  return min
}

/** Whether a shape with a buffer (in meters) contains a point. */
export const holdsGrown = (geometry: Geometry, point: Position, buffer: number): boolean =>
  holds(geometry, point) || (buffer > 0 && getMetersToEdge(geometry, point) <= buffer)
