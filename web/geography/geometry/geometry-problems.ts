import { isArea, getPolygons, type Geometry, type Position } from '#contract/place.ts'
import { isInside } from '#web/map/rendering/inner-point.ts'
import { getLines } from './measure.ts'

/** An error of a geometry, with its position. */
export interface Problem {
  /** Crossing outlines, a hole outside of its outline, or too few positions. */
  code: 'crossing' | 'outside' | 'few'
  at: Position
}

/** Maximum number of problems; hundreds would cover the map. */
const maxProblems = 50

/** Finds why a geometry cannot be saved: crossing outlines, holes outside, or too few positions. */
export function findProblems(geometry: Geometry): Problem[] {
  if (!isArea(geometry)) return findShortLines(geometry)
  return getPolygons(geometry)
    .flatMap((rings): Problem[] => {
      const shortRings = rings
        .filter((ring) => new Set(ring.map(String)).size < 3)
        .map((ring): Problem => ({ code: 'few', at: ring[0] ?? [0, 0] }))
      if (shortRings.length > 0) return shortRings
      const crossings = findCrossings(rings).map((at): Problem => ({ code: 'crossing', at }))
      const outside = rings
        .slice(1)
        .filter((hole) => !hole.some((place) => isInside(place, [rings[0]!])))
        .map((hole): Problem => ({ code: 'outside', at: hole[0]! }))
      return [...crossings, ...outside]
    })
    .slice(0, maxProblems)
}

function findShortLines(geometry: Exclude<Geometry, { type: 'Polygon' | 'MultiPolygon' }>): Problem[] {
  return getLines(geometry)
    .filter((line) => new Set(line.map(String)).size < 2)
    .map((line) => ({ code: 'few', at: line[0] ?? [0, 0] }))
}

interface Edge {
  a: Position
  b: Position
  ring: number
  /** Index of the edge in its ring, and that of the last edge. */
  index: number
  last: number
  west: number
  east: number
  south: number
  north: number
}

const createEdge = (
  [a, b]: readonly [Position, Position],
  ring: number,
  index: number,
  last: number,
): Edge => ({
  a,
  b,
  ring,
  index,
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
function findCrossings(rings: readonly (readonly Position[])[]): Position[] {
  const edges = rings.flatMap((ring, ringIndex) =>
    ring
      .slice(1)
      .flatMap((b, index): Edge[] =>
        isSamePosition(ring[index]!, b)
          ? []
          : [createEdge([ring[index]!, b], ringIndex, index, ring.length - 2)],
      ),
  )
  edges.sort((one, other) => one.west - other.west)
  const crossings: Position[] = []
  const openEdges: Edge[] = []
  for (const edge of edges) {
    // Edges that end west of this one cannot meet it or any later one.
    let openCount = 0
    for (const other of openEdges) {
      if (other.east < edge.west) continue
      openEdges[openCount++] = other
      if (other.north < edge.south || other.south > edge.north) continue
      const position = findMeeting(edge, other)
      if (position && crossings.push(position) >= maxProblems) return crossings
    }
    openEdges.length = openCount
    openEdges.push(edge)
  }
  return crossings
}

const isSamePosition = (a: Position, b: Position): boolean => a[0] === b[0] && a[1] === b[1]
/** Positive if c is to the left of the line from a to b, negative to the right, 0 on it. */
const getSide = (a: Position, b: Position, c: Position): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

/** Returns the position where two edges meet other than at a shared end; null if they do not. */
function findMeeting(one: Edge, other: Edge): Position | null {
  const oneStartSide = getSide(other.a, other.b, one.a)
  const oneEndSide = getSide(other.a, other.b, one.b)
  const otherStartSide = getSide(one.a, one.b, other.a)
  const otherEndSide = getSide(one.a, one.b, other.b)
  // Each edge has its ends on both sides of the other.
  if (oneStartSide * oneEndSide < 0 && otherStartSide * otherEndSide < 0) {
    const share = oneStartSide / (oneStartSide - oneEndSide)
    return [one.a[0] + share * (one.b[0] - one.a[0]), one.a[1] + share * (one.b[1] - one.a[1])]
  }
  const isCollinear = oneStartSide === 0 && oneEndSide === 0
  // Neighboring edges share an end; if one runs back over the other, the ring has no width.
  if (one.ring === other.ring && isNext(one, other))
    return isCollinear && runsBack(one, other) ? sharedEnd(one, other) : null
  if (isCollinear) return findOverlap(one, other)
  // An end lies inside another edge. Rings may touch at a point, but a ring may not touch itself.
  if (one.ring !== other.ring) return null
  for (const end of [other.a, other.b])
    if (getSide(one.a, one.b, end) === 0 && isBetween(end, one)) return end
  for (const end of [one.a, one.b])
    if (getSide(other.a, other.b, end) === 0 && isBetween(end, other)) return end
  return null
}

const isNext = (one: Edge, other: Edge): boolean => {
  const distance = Math.abs(one.index - other.index)
  return (
    distance === 1 ||
    distance === one.last ||
    isSamePosition(one.a, other.b) ||
    isSamePosition(one.b, other.a)
  )
}
const sharedEnd = (one: Edge, other: Edge): Position => (isSamePosition(one.b, other.a) ? one.b : one.a)
const runsBack = (one: Edge, other: Edge): boolean =>
  (one.b[0] - one.a[0]) * (other.b[0] - other.a[0]) + (one.b[1] - one.a[1]) * (other.b[1] - other.a[1]) < 0
const isBetween = ([x, y]: Position, { west, east, south, north }: Edge): boolean =>
  x >= west && x <= east && y >= south && y <= north

/** Collinear edges overlap if an end of one lies inside the other. */
function findOverlap(one: Edge, other: Edge): Position | null {
  const ends = [other.a, other.b]
    .filter((end) => isBetween(end, one))
    .concat([one.a, one.b].filter((end) => isBetween(end, other)))
  return ends.some((end) => !isSamePosition(end, ends[0]!)) ? ends[0]! : null
}
