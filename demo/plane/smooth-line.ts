import type { Point } from './point.ts'

/** A curve through all the points, with a vertex about every `step` metres (longer where the points lie far apart). */
export function smoothLine(points: readonly Point[], step: number): Point[] {
  const curve: Point[] = []
  for (let i = 0; i + 1 < points.length; i++) {
    const [a, b] = [points[i]!, points[i + 1]!]
    const before = points[i - 1] ?? mirror(b, a)
    const after = points[i + 2] ?? mirror(a, b)
    const length = Math.hypot(b[0] - a[0], b[1] - a[1])
    const pieces = Math.max(1, Math.min(24, Math.round(length / step)))
    for (let k = 0; k < pieces; k++) curve.push(between(before, a, b, after, k / pieces))
  }
  curve.push(points[points.length - 1]!)
  return curve
}

/** Centripetal Catmull-Rom: no loops however uneven the points are. */
function between(p0: Point, p1: Point, p2: Point, p3: Point, t: number): Point {
  const t1 = knot(0, p0, p1)
  const t2 = knot(t1, p1, p2)
  const t3 = knot(t2, p2, p3)
  const at = t1 + (t2 - t1) * t
  const a1 = blend(p0, p1, 0, t1, at)
  const a2 = blend(p1, p2, t1, t2, at)
  const a3 = blend(p2, p3, t2, t3, at)
  return blend(blend(a1, a2, 0, t2, at), blend(a2, a3, t1, t3, at), t1, t2, at)
}

function knot(t: number, a: Point, b: Point): number {
  return t + Math.sqrt(Math.hypot(b[0] - a[0], b[1] - a[1]))
}

function blend(a: Point, b: Point, from: number, to: number, at: number): Point {
  const share = (at - from) / (to - from)
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
}

function mirror(a: Point, b: Point): Point {
  return [2 * b[0] - a[0], 2 * b[1] - a[1]]
}
