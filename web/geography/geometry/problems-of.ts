import { isArea, polygonsOf, type Geometry, type Position } from '#contract/place.ts'
import { isInside } from '#web/map/rendering/inner-point.ts'

/** An error of a geometry, with its position. */
export interface Problem {
  code: 'crossing' | 'outside' | 'few'
  at: Position
}

/** Maximum number of problems; hundreds would cover the map. */
const most = 50

/**
 * Why a geometry cannot be saved: crossing outlines, holes that are not inside, rings and lines with too few
 * positions. Lines may cross themselves.
 */
export function problemsOf(geometry: Geometry): Problem[] {
  if (!isArea(geometry)) return fewIn(geometry)
  return polygonsOf(geometry)
    .flatMap((rings): Problem[] => {
      const few = rings
        .filter((ring) => new Set(ring.map(String)).size < 3)
        .map((ring): Problem => ({ code: 'few', at: ring[0] ?? [0, 0] }))
      if (few.length > 0) return few
      const crossings = crossingsOf(rings).map((at): Problem => ({ code: 'crossing', at }))
      const outside = rings
        .slice(1)
        .filter((hole) => !hole.some((place) => isInside(place, [rings[0]!])))
        .map((hole): Problem => ({ code: 'outside', at: hole[0]! }))
      return [...crossings, ...outside]
    })
    .slice(0, most)
}

function fewIn(geometry: Exclude<Geometry, { type: 'Polygon' | 'MultiPolygon' }>): Problem[] {
  const lines =
    geometry.type === 'LineString'
      ? [geometry.coordinates]
      : geometry.type === 'MultiLineString'
        ? geometry.coordinates
        : []
  return lines
    .filter((line) => new Set(line.map(String)).size < 2)
    .map((line) => ({ code: 'few', at: line[0] ?? [0, 0] }))
}

interface Edge {
  a: Position
  b: Position
  ring: number
  at: number
  last: number
  west: number
  east: number
  south: number
  north: number
}

const edgeOf = (a: Position, b: Position, ring: number, at: number, last: number): Edge => ({
  a,
  b,
  ring,
  at,
  last,
  west: Math.min(a[0], b[0]),
  east: Math.max(a[0], b[0]),
  south: Math.min(a[1], b[1]),
  north: Math.max(a[1], b[1]),
})

/**
 * Positions where edges of rings meet other than at a shared end. Edges are swept from west to east, so that
 * only edges that overlap in longitude are compared.
 */
function crossingsOf(rings: readonly (readonly Position[])[]): Position[] {
  const edges = rings.flatMap((ring, of) =>
    ring
      .slice(1)
      .flatMap((b, at): Edge[] =>
        same(ring[at]!, b) ? [] : [edgeOf(ring[at]!, b, of, at, ring.length - 2)],
      ),
  )
  edges.sort((one, other) => one.west - other.west)
  const found: Position[] = []
  const open: Edge[] = []
  for (const edge of edges) {
    let kept = 0
    for (const other of open) {
      if (other.east < edge.west) continue
      open[kept++] = other
      if (other.north < edge.south || other.south > edge.north) continue
      const place = meeting(edge, other)
      if (place && found.push(place) >= most) return found
    }
    open.length = kept
    open.push(edge)
  }
  return found
}

const same = (a: Position, b: Position): boolean => a[0] === b[0] && a[1] === b[1]
const side = (a: Position, b: Position, c: Position): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

function meeting(one: Edge, other: Edge): Position | null {
  const [s1, s2, s3, s4] = [
    side(other.a, other.b, one.a),
    side(other.a, other.b, one.b),
    side(one.a, one.b, other.a),
    side(one.a, one.b, other.b),
  ]
  if (s1 * s2 < 0 && s3 * s4 < 0) {
    const share = s1 / (s1 - s2)
    return [one.a[0] + share * (one.b[0] - one.a[0]), one.a[1] + share * (one.b[1] - one.a[1])]
  }
  const flat = s1 === 0 && s2 === 0
  // Neighboring edges share an end; if one runs back over the other, the ring has no width.
  if (one.ring === other.ring && isNext(one, other))
    return flat && runsBack(one, other) ? sharedEnd(one, other) : null
  if (flat) return overlap(one, other)
  // An end lies inside another edge. Rings may touch at a point, but a ring may not touch itself.
  if (one.ring !== other.ring) return null
  for (const end of [other.a, other.b]) if (side(one.a, one.b, end) === 0 && isBetween(end, one)) return end
  for (const end of [one.a, one.b]) if (side(other.a, other.b, end) === 0 && isBetween(end, other)) return end
  return null
}

const isNext = (one: Edge, other: Edge): boolean => {
  const apart = Math.abs(one.at - other.at)
  return apart === 1 || apart === one.last || same(one.a, other.b) || same(one.b, other.a)
}
const sharedEnd = (one: Edge, other: Edge): Position => (same(one.b, other.a) ? one.b : one.a)
const runsBack = (one: Edge, other: Edge): boolean =>
  (one.b[0] - one.a[0]) * (other.b[0] - other.a[0]) + (one.b[1] - one.a[1]) * (other.b[1] - other.a[1]) < 0
const isBetween = ([x, y]: Position, { west, east, south, north }: Edge): boolean =>
  x >= west && x <= east && y >= south && y <= north

/** Collinear edges overlap if an end of one lies inside the other. */
function overlap(one: Edge, other: Edge): Position | null {
  const ends = [other.a, other.b]
    .filter((end) => isBetween(end, one))
    .concat([one.a, one.b].filter((end) => isBetween(end, other)))
  return ends.some((end) => !same(end, ends[0]!)) ? ends[0]! : null
}
