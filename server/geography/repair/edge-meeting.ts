import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
import RobustLineIntersector from 'jsts/org/locationtech/jts/algorithm/RobustLineIntersector.js'

/** Bound on the relative rounding error of a cross product in doubles (Shewchuk 1997, ccwerrboundA). */
const ERROR = 3.4e-16

const NOWHERE: readonly Coordinate[] = []
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
  if (Math.max(ax, bx) < Math.min(cx, dx) || Math.max(cx, dx) < Math.min(ax, bx)) return NOWHERE
  if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return NOWHERE
  const c = side(ax, ay, bx, by, cx, cy)
  const d = side(ax, ay, bx, by, dx, dy)
  if (c * d > 0) return NOWHERE
  if (side(cx, cy, dx, dy, ax, ay) * side(cx, cy, dx, dy, bx, by) > 0) return NOWHERE
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
  return Math.abs(cross) > ERROR * (Math.abs(left) + Math.abs(right)) ? Math.sign(cross) : 0
}
