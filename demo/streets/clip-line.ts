import { inRing } from '../plane/in-ring.ts'
import type { Point } from '../plane/point.ts'

/** The parts of a line inside an area, each drawn `over` metres beyond the edge so that it surely meets it. */
export function clipLine(
  line: readonly Point[],
  rings: readonly (readonly Point[])[],
  over: number,
): Point[][] {
  const parts: Point[][] = []
  let part: Point[] = []
  let inside = within(rings, line[0]!)
  if (inside) part.push(line[0]!)
  for (let i = 0; i + 1 < line.length; i++) {
    const [a, b] = [line[i]!, line[i + 1]!]
    const length = Math.hypot(b[0] - a[0], b[1] - a[1])
    for (const t of crossings(rings, a, b)) {
      const beyond = inside ? t + over / length : t - over / length
      const end: Point = [a[0] + (b[0] - a[0]) * beyond, a[1] + (b[1] - a[1]) * beyond]
      part.push(end)
      if (inside) {
        parts.push(part)
        part = []
      }
      inside = !inside
    }
    if (inside) part.push(b)
  }
  if (part.length > 1) parts.push(part)
  return parts
}

function within(rings: readonly (readonly Point[])[], [x, y]: Point): boolean {
  let inside = false
  for (const ring of rings) if (inRing(ring, x, y)) inside = !inside
  return inside
}

function crossings(rings: readonly (readonly Point[])[], a: Point, b: Point): number[] {
  const found: number[] = []
  const [rx, ry] = [b[0] - a[0], b[1] - a[1]]
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [c, d] = [ring[j]!, ring[i]!]
      if (c[1] < a[1] && d[1] < a[1] && c[1] < b[1] && d[1] < b[1]) continue
      if (c[1] > a[1] && d[1] > a[1] && c[1] > b[1] && d[1] > b[1]) continue
      const [sx, sy] = [d[0] - c[0], d[1] - c[1]]
      const cross = rx * sy - ry * sx
      if (cross === 0) continue
      const t = ((c[0] - a[0]) * sy - (c[1] - a[1]) * sx) / cross
      const u = ((c[0] - a[0]) * ry - (c[1] - a[1]) * rx) / cross
      if (t >= 0 && t < 1 && u >= 0 && u < 1) found.push(t)
    }
  }
  return found.sort((p, q) => p - q)
}
