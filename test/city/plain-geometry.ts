import type { Geometry, Position } from '#contract/place.ts'

// The slow and plain geometry that the server's answers are held against.

const ringsOf = (geometry: Geometry): Position[][] =>
  geometry.type === 'Polygon'
    ? geometry.coordinates
    : geometry.type === 'MultiPolygon'
      ? geometry.coordinates.flat()
      : []

const linesOf = (geometry: Geometry): Position[][] =>
  geometry.type === 'LineString'
    ? [geometry.coordinates]
    : geometry.type === 'MultiLineString'
      ? geometry.coordinates
      : ringsOf(geometry)

/** Whether an area holds a point: the even-odd rule over all of its rings, a border counted with the ground above and right of it. */
export function holds(geometry: Geometry, [x, y]: Position): boolean {
  let inside = false
  for (const ring of ringsOf(geometry))
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

/** Meters of a degree on the WGS 84 ellipsoid at a latitude: east, north. */
function degreeMeters(latitude: number): Position {
  const sine2 = Math.sin((latitude * Math.PI) / 180) ** 2
  const [a, e2] = [6_378_137, 0.00669437999]
  const root = Math.sqrt(1 - e2 * sine2)
  return [
    (Math.PI / 180) * (a / root) * Math.cos((latitude * Math.PI) / 180),
    (Math.PI / 180) * ((a * (1 - e2)) / root ** 3),
  ]
}

/** Meters from a point to the borders or lines of a shape. */
export function metersToEdge(geometry: Geometry, [lon, lat]: Position): number {
  const [east, north] = degreeMeters(lat)
  let least = Infinity
  for (const line of linesOf(geometry))
    for (let i = 1; i < line.length; i++) {
      const [ax, ay] = [
        ((line[i - 1] as Position)[0] - lon) * east,
        ((line[i - 1] as Position)[1] - lat) * north,
      ]
      const [bx, by] = [((line[i] as Position)[0] - lon) * east, ((line[i] as Position)[1] - lat) * north]
      const [dx, dy] = [bx - ax, by - ay]
      const along = Math.max(0, Math.min(1, -(ax * dx + ay * dy) / (dx * dx + dy * dy || 1)))
      least = Math.min(least, Math.hypot(ax + along * dx, ay + along * dy))
    }
  return least
}

/** Whether a shape grown by `buffer` meters holds a point. */
export const holdsGrown = (geometry: Geometry, point: Position, buffer: number): boolean =>
  holds(geometry, point) || (buffer > 0 && metersToEdge(geometry, point) <= buffer)
