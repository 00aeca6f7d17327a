import type { Position } from 'geojson'
import { edgePairs } from './edge-pairs.ts'
import { edgesOf } from './edges-of.ts'
import { TangledError } from './tangled-error.ts'
import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
import RobustLineIntersector from 'jsts/org/locationtech/jts/algorithm/RobustLineIntersector.js'

/** Bound on the relative rounding error of a cross product in doubles (Shewchuk 1997, ccwerrboundA). */
const error = 3.4e-16

const nowhere: readonly Coordinate[] = []
const intersector = new RobustLineIntersector()

/** Where edges a and b of `edges` (x1, y1, x2, y2 each) meet: no, one or, lying on each other, two positions. */
export function edgeMeeting(edges: Float64Array, a: number, b: number): readonly Coordinate[] {
  // Called for millions of pairs: nothing is allocated before the clear cases are through.
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
  if (Math.max(ax, bx) < Math.min(cx, dx) || Math.max(cx, dx) < Math.min(ax, bx)) return nowhere
  if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return nowhere
  const c = side(ax, ay, bx, by, cx, cy)
  const d = side(ax, ay, bx, by, dx, dy)
  if (c * d > 0) return nowhere
  if (side(cx, cy, dx, dy, ax, ay) * side(cx, cy, dx, dy, bx, by) > 0) return nowhere
  // Edges at an angle that share an end meet there and nowhere else.
  if (c !== 0 || d !== 0) {
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

/** 1 when p is clearly left of the line from a to b, -1 clearly right, 0 when too near to say. */
function side(ax: number, ay: number, bx: number, by: number, px: number, py: number): number {
  const left = (ax - px) * (by - py)
  const right = (ay - py) * (bx - px)
  const cross = left - right
  return Math.abs(cross) > error * (Math.abs(left) + Math.abs(right)) ? Math.sign(cross) : 0
}

type Line = Position[]

/** A crossing moves by rounding, which may make a new one beside it; two or three rounds settle all but the narrowest. */
const rounds = 8
/** Fewer than a second of work, and more than anyone has drawn. */
const mostCrossings = 20_000

/**
 * The edges of rings, cut wherever two of them meet, each once. Edges keep their own vertices; only crossings are new.
 * @param grid Degrees to which crossings are snapped, null for as exact as numbers go.
 * @throws Error when the edges do not settle, TangledError when there are far too many crossings.
 */
export function cutAtCrossings(rings: readonly Position[][], grid: number | null): Line[] {
  const snap = (value: number): number => (grid === null ? value : Math.round(value / grid) * grid)
  let lines: readonly Line[] =
    grid === null ? rings : rings.map((ring) => ring.map(([x = 0, y = 0]) => [snap(x), snap(y)]))
  const nodes = new Set<string>()
  for (let round = 0; round < rounds; round += 1) {
    const cuts = findCuts(lines, nodes, snap)
    if (cuts.size === 0) return once(lines.flatMap((line) => splitAt(line, nodes)))
    let before = 0
    lines = lines.map((line) => {
      const cut = withCuts(line, cuts, before)
      before += line.length - 1
      return cut
    })
  }
  throw new Error('crossings did not settle')
}

/** New vertices by edge number; every position where edges meet, new or not, goes to `nodes`. */
function findCuts(
  lines: readonly Line[],
  nodes: Set<string>,
  snap: (value: number) => number,
): Map<number, Position[]> {
  const edges = edgesOf(lines)
  const cuts = new Map<number, Position[]>()
  let crossings = 0
  const cutEdge = (edge: number, x: number, y: number): void => {
    const isEnd = (part: number): boolean => edges[4 * edge + part] === x && edges[4 * edge + part + 1] === y
    if (isEnd(0) || isEnd(2)) return
    const there = cuts.get(edge)
    if (there === undefined) cuts.set(edge, [[x, y]])
    else if (!there.some((cut) => cut[0] === x && cut[1] === y)) there.push([x, y])
    else return
    crossings += 1
    if (crossings > mostCrossings) throw new TangledError()
  }
  const next = nextEdges(lines)
  edgePairs(edges, (a, b) => {
    const meetings = edgeMeeting(edges, a, b)
    // An edge always meets the next one where that begins; only running back along it is news.
    if (meetings.length === 1 && (next[a] === b || next[b] === a)) return
    for (const meeting of meetings) {
      const [x, y] = [snap(meeting.x), snap(meeting.y)]
      nodes.add(`${x},${y}`)
      cutEdge(a, x, y)
      cutEdge(b, x, y)
    }
  })
  return cuts
}

/** The edge that follows each in its line, -1 after the last of an open one. */
function nextEdges(lines: readonly Line[]): Int32Array {
  const next: number[] = []
  for (const line of lines) {
    const first = next.length
    for (let index = 1; index < line.length; index += 1) next.push(next.length + 1)
    const closed = line[0]?.[0] === line.at(-1)?.[0] && line[0]?.[1] === line.at(-1)?.[1]
    if (next.length > first) next[next.length - 1] = closed ? first : -1
  }
  return Int32Array.from(next)
}

function withCuts(line: Line, cuts: ReadonlyMap<number, Position[]>, before: number): Line {
  const cut: Line = []
  line.forEach((position, index) => {
    cut.push(position)
    if (index === line.length - 1) return
    const [x = 0, y = 0] = position
    const away = ([cx = 0, cy = 0]: Position): number => (cx - x) ** 2 + (cy - y) ** 2
    for (const added of (cuts.get(before + index) ?? []).toSorted((a, b) => away(a) - away(b)))
      cut.push(added)
  })
  return cut
}

function splitAt(line: Line, nodes: ReadonlySet<string>): Line[] {
  const pieces: Line[] = []
  let piece: Line = []
  for (const position of line) {
    piece.push(position)
    if (piece.length > 1 && nodes.has(`${position[0]},${position[1]}`)) {
      pieces.push(piece)
      piece = [position]
    }
  }
  if (piece.length > 1) pieces.push(piece)
  return pieces
}

/** Borders that run on top of each other come as equal pieces, one way round or the other. No two others share an edge, so one edge tells a piece. */
function once(pieces: readonly Line[]): Line[] {
  const kept = new Map<string, Line>()
  for (const piece of pieces) {
    const forward = `${piece[0]} ${piece[1]}`
    const backward = `${piece.at(-1)} ${piece.at(-2)}`
    kept.set(forward < backward ? forward : backward, piece)
  }
  return [...kept.values()]
}
