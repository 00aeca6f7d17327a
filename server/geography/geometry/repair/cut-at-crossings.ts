import type { Position } from 'geojson'
import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
import RobustLineIntersector from 'jsts/org/locationtech/jts/algorithm/RobustLineIntersector.js'
import { findEdgePairs, flattenEdges, TangledError } from './edge-pairs.ts'

/** Bound on the relative rounding error of a cross product in doubles (Shewchuk 1997, ccwerrboundA). */
const relativeError = 3.4e-16

const noPositions: readonly Coordinate[] = []
const intersector = new RobustLineIntersector()

/**
 * Finds the positions at which two edges meet: none, one, or two if the edges overlap.
 * @param edges x1, y1, x2, y2 of each edge
 * @param a the number of one edge in `edges`, from 0
 * @param b the number of the other
 */
export function findMeetings(edges: Float64Array, a: number, b: number): readonly Coordinate[] {
  // Called for millions of pairs, so the clear cases are decided without allocations.
  const i = 4 * a
  const j = 4 * b
  const ax = edges[i] ?? 0
  const ay = edges[i + 1] ?? 0
  const bx = edges[i + 2] ?? 0
  const by = edges[i + 3] ?? 0
  const cx = edges[j] ?? 0
  const cy = edges[j + 1] ?? 0
  const dx = edges[j + 2] ?? 0
  const dy = edges[j + 3] ?? 0
  if (Math.max(ax, bx) < Math.min(cx, dx) || Math.max(cx, dx) < Math.min(ax, bx)) return noPositions
  if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return noPositions
  const startSide = getSide(edges, i, j)
  const endSide = getSide(edges, i, j + 2)
  if (startSide * endSide > 0) return noPositions
  if (getSide(edges, j, i) * getSide(edges, j, i + 2) > 0) return noPositions
  // Edges that are not parallel and share an end meet only there.
  if (startSide !== 0 || endSide !== 0) {
    if ((ax === cx && ay === cy) || (ax === dx && ay === dy)) return [new Coordinate(ax, ay)]
    if ((bx === cx && by === cy) || (bx === dx && by === dy)) return [new Coordinate(bx, by)]
  }
  intersector.computeIntersection(
    new Coordinate(ax, ay),
    new Coordinate(bx, by),
    new Coordinate(cx, cy),
    new Coordinate(dx, dy),
  )
  return Array.from({ length: intersector.getIntersectionNum() }, (_, index) => {
    const { x, y } = intersector.getIntersection(index)
    return new Coordinate(x, y)
  })
}

/**
 * Returns on which side of an edge a vertex is: 1 for left, -1 for right, 0 if the sign is not certain.
 * `edge` and `vertex` are their offsets in `edges`.
 */
function getSide(edges: Float64Array, edge: number, vertex: number): number {
  const ax = edges[edge] ?? 0
  const ay = edges[edge + 1] ?? 0
  const bx = edges[edge + 2] ?? 0
  const by = edges[edge + 3] ?? 0
  const px = edges[vertex] ?? 0
  const py = edges[vertex + 1] ?? 0
  const left = (ax - px) * (by - py)
  const right = (ay - py) * (bx - px)
  const cross = left - right
  return Math.abs(cross) > relativeError * (Math.abs(left) + Math.abs(right)) ? Math.sign(cross) : 0
}

type Line = Position[]

/** Rounding moves a crossing, which may create another one. Two or three rounds suffice for most shapes. */
const maxRounds = 8
/** More than drawn shapes have, and less than a second of work. */
const maxCrossings = 20_000

/**
 * Cuts the edges of rings where two of them meet, and returns each edge once. Vertices do not move; only
 * crossings are new.
 * @param grid Size in degrees of the grid to which crossings are snapped; null: no snapping.
 * @throws Error if new crossings keep appearing, TangledError if there are too many.
 */
export function cutAtCrossings(rings: readonly Position[][], grid: number | null): Line[] {
  const snap = (value: number): number => (grid === null ? value : Math.round(value / grid) * grid)
  let lines: readonly Line[] =
    grid === null ? rings : rings.map((ring) => ring.map(([x = 0, y = 0]) => [snap(x), snap(y)]))
  const nodes = new Set<string>()
  for (let round = 0; round < maxRounds; round += 1) {
    const cuts = findCuts(lines, nodes, snap)
    if (cuts.size === 0) return removeDuplicateLines(lines.flatMap((line) => splitAt(line, nodes)))
    let firstEdge = 0
    lines = lines.map((line) => {
      const cut = insertCuts(line, cuts, firstEdge)
      firstEdge += line.length - 1
      return cut
    })
  }
  throw new Error('crossings did not settle')
}

/** Finds new vertices by edge number. Adds all positions where edges meet to `nodes`. */
function findCuts(
  lines: readonly Line[],
  nodes: Set<string>,
  snap: (value: number) => number,
): Map<number, Position[]> {
  const edges = flattenEdges(lines)
  const cuts = new Map<number, Position[]>()
  let crossings = 0
  const cutEdge = (edge: number, x: number, y: number): void => {
    const isEnd = (offset: number): boolean =>
      edges[4 * edge + offset] === x && edges[4 * edge + offset + 1] === y
    if (isEnd(0) || isEnd(2)) return
    const edgeCuts = cuts.get(edge)
    if (edgeCuts === undefined) cuts.set(edge, [[x, y]])
    else if (!edgeCuts.some((cut) => cut[0] === x && cut[1] === y)) edgeCuts.push([x, y])
    else return
    crossings += 1
    if (crossings > maxCrossings) throw new TangledError()
  }
  const next = findNextEdges(lines)
  findEdgePairs(edges, (a, b) => {
    const meetings = findMeetings(edges, a, b)
    // An edge always meets the next one at its start; only an overlap matters.
    if (meetings.length === 1 && (next[a] === b || next[b] === a)) return
    for (const meeting of meetings) {
      const x = snap(meeting.x)
      const y = snap(meeting.y)
      nodes.add(`${x},${y}`)
      cutEdge(a, x, y)
      cutEdge(b, x, y)
    }
  })
  return cuts
}

/** Finds the next edge of each edge in its line; -1 after the last edge of an open line. */
function findNextEdges(lines: readonly Line[]): Int32Array {
  const next: number[] = []
  for (const line of lines) {
    const first = next.length
    for (let index = 1; index < line.length; index += 1) next.push(next.length + 1)
    const isClosed = line[0]?.[0] === line.at(-1)?.[0] && line[0]?.[1] === line.at(-1)?.[1]
    if (next.length > first) next[next.length - 1] = isClosed ? first : -1
  }
  return Int32Array.from(next)
}

/** Inserts the cuts of a line's edges as vertices, in order. @param firstEdge the number of its first edge */
function insertCuts(line: Line, cuts: ReadonlyMap<number, Position[]>, firstEdge: number): Line {
  return line.flatMap((position, index) => {
    const edgeCuts = index < line.length - 1 ? (cuts.get(firstEdge + index) ?? []) : []
    const [x = 0, y = 0] = position
    const computeSquaredDistance = ([cx = 0, cy = 0]: Position): number => (cx - x) ** 2 + (cy - y) ** 2
    return [position, ...edgeCuts.toSorted((a, b) => computeSquaredDistance(a) - computeSquaredDistance(b))]
  })
}

/** Splits a line at its vertices that are nodes, given as `x,y`. */
function splitAt(line: Line, nodes: ReadonlySet<string>): Line[] {
  const parts: Line[] = []
  let part: Line = []
  for (const position of line) {
    part.push(position)
    if (part.length > 1 && nodes.has(`${position[0]},${position[1]}`)) {
      parts.push(part)
      part = [position]
    }
  }
  if (part.length > 1) parts.push(part)
  return parts
}

/**
 * Removes duplicates: overlapping borders give equal lines, possibly in opposite directions. Different lines
 * share no edge, so one edge identifies a line.
 */
function removeDuplicateLines(lines: readonly Line[]): Line[] {
  const unique = new Map<string, Line>()
  for (const line of lines) {
    const forward = `${line[0]} ${line[1]}`
    const backward = `${line.at(-1)} ${line.at(-2)}`
    unique.set(forward < backward ? forward : backward, line)
  }
  return [...unique.values()]
}
