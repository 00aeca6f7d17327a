// Reference implementation of places in areas: checks each edge, without an index.
import type { Area, Position } from '#contract/place.ts'

export const listRings = (area: Area): Position[][] =>
  area.type === 'Polygon' ? area.coordinates : area.coordinates.flat()

/** Returns the edges of all rings, including holes. */
const getEdges = (area: Area): [Position, Position][] =>
  listRings(area).flatMap((ring) =>
    ring.slice(1).map((to, i): [Position, Position] => [ring[i] as Position, to]),
  )

/** Whether an area contains a place (even-odd rule). Western and southern borders belong to the area. */
export function holdsPlace(area: Area, lon: number, lat: number): boolean {
  if (Number.isNaN(lon + lat)) return false
  let crossings = 0
  for (const [a, b] of getEdges(area)) {
    const [low, high] = a[1] < b[1] ? [a, b] : [b, a]
    const passesRow = low[1] <= lat && lat < high[1]
    if (passesRow && low[0] + ((lat - low[1]) * (high[0] - low[0])) / (high[1] - low[1]) <= lon) crossings++
  }
  return crossings % 2 === 1
}

/** Returns the meters per degree to the east and to the north on the WGS 84 ellipsoid. */
function getDegreeMeters(lat: number): [number, number] {
  const [axis, flattening, rad] = [6_378_137, 1 / 298.257223563, Math.PI / 180]
  const e2 = flattening * (2 - flattening)
  const curvature = 1 - e2 * Math.sin(lat * rad) ** 2
  return [
    (rad * axis * Math.cos(lat * rad)) / Math.sqrt(curvature),
    (rad * axis * (1 - e2)) / curvature ** 1.5,
  ]
}

/** Returns the great-circle distance on a sphere with the mean radius of the earth. */
export function getMetersBetween([lon, lat]: Position, [otherLon, otherLat]: Position): number {
  const rad = Math.PI / 180
  const half =
    Math.sin(((otherLat - lat) * rad) / 2) ** 2 +
    Math.cos(lat * rad) * Math.cos(otherLat * rad) * Math.sin(((otherLon - lon) * rad) / 2) ** 2
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(half))
}

/** Returns the meters to the nearest point of the borders of an area, including those of holes. */
export function getMetersToBorder(area: Area, lon: number, lat: number): number {
  const [east, north] = getDegreeMeters(lat)
  let min = Infinity
  for (const [a, b] of getEdges(area)) {
    const [ax, ay, bx, by] = [
      (a[0] - lon) * east,
      (a[1] - lat) * north,
      (b[0] - lon) * east,
      (b[1] - lat) * north,
    ]
    const length = (bx - ax) ** 2 + (by - ay) ** 2
    const along = length === 0 ? 0 : Math.min(1, Math.max(0, -(ax * (bx - ax) + ay * (by - ay)) / length))
    min = Math.min(min, Math.hypot(ax + along * (bx - ax), ay + along * (by - ay)))
  }
  return min
}

/** Converts a coordinate to an integer without loss, for absolute values above 1/256 degree. */
const toInteger = (value: number): bigint => BigInt(value * 2 ** 60)
/** Positive if c is to the left of the line from a to b. */
const getOrientation = ([ax, ay]: Position, [bx, by]: Position, [cx, cy]: Position): bigint =>
  (toInteger(bx) - toInteger(ax)) * (toInteger(cy) - toInteger(ay)) -
  (toInteger(by) - toInteger(ay)) * (toInteger(cx) - toInteger(ax))
const isBetween = (a: Position, b: Position, c: Position): boolean =>
  Math.min(a[0], b[0]) <= c[0] &&
  c[0] <= Math.max(a[0], b[0]) &&
  Math.min(a[1], b[1]) <= c[1] &&
  c[1] <= Math.max(a[1], b[1])
const getSign = (value: bigint): number => (value > 0n ? 1 : value < 0n ? -1 : 0)

/** Whether two line segments intersect, including their ends. A segment may be a single place. */
function doSegmentsMeet(a: Position, b: Position, c: Position, d: Position): boolean {
  const [abc, abd, cda, cdb] = [
    getOrientation(a, b, c),
    getOrientation(a, b, d),
    getOrientation(c, d, a),
    getOrientation(c, d, b),
  ].map(getSign)
  if (abc !== abd && cda !== cdb && abc !== 0 && abd !== 0 && cda !== 0 && cdb !== 0) return true
  return (
    (abc === 0 && isBetween(a, b, c)) ||
    (abd === 0 && isBetween(a, b, d)) ||
    (cda === 0 && isBetween(c, d, a)) ||
    (cdb === 0 && isBetween(c, d, b))
  )
}

/** Whether a line segment intersects an area: crosses its border or is inside. */
export function touchesArea(area: Area, from: Position, to: Position): boolean {
  const edges = getEdges(area)
  if (edges.some(([a, b]) => doSegmentsMeet(from, to, a, b))) return true
  // It crosses no border, so its start decides.
  return (
    edges.filter(
      ([a, b]) =>
        a[1] <= from[1] !== b[1] <= from[1] && getSign(getOrientation(a, b, from)) === (a[1] < b[1] ? -1 : 1),
    ).length %
      2 ===
    1
  )
}
