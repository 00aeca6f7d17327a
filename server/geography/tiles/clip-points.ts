type Points = ArrayLike<number>

/** The points between two values of x (axis 0) or y (axis 1). */
export function clipDots(points: Points, from: number, to: number, axis: 0 | 1): number[] {
  const inside: number[] = []
  for (let at = 0; at < points.length; at += 3)
    if (points[at + axis]! >= from && points[at + axis]! <= to)
      inside.push(points[at]!, points[at + 1]!, points[at + 2]!)
  return inside
}

/** The part of a ring between two values, closed along these. */
export function clipRing(points: Points, from: number, to: number, axis: 0 | 1): number[] {
  const inside = cut(points, from, to, axis, true).flat()
  const last = inside.length - 3
  if (last >= 3 && (inside[last] !== inside[0] || inside[last + 1] !== inside[1]))
    inside.push(inside[0]!, inside[1]!, inside[2]!)
  return inside
}

/** The parts of a line between two values. */
export const clipLine = (points: Points, from: number, to: number, axis: 0 | 1): number[][] =>
  cut(points, from, to, axis, false)

function cut(points: Points, from: number, to: number, axis: 0 | 1, isRing: boolean): number[][] {
  const parts: number[][] = []
  let part: number[] = []
  for (let at = 0; at < points.length - 3; at += 3) {
    const [a, b] = [points[at + axis]!, points[at + 3 + axis]!]
    if (a < from) {
      if (b >= from) addCrossing(part, points, at, from, axis)
    } else if (a > to) {
      if (b <= to) addCrossing(part, points, at, to, axis)
    } else part.push(points[at]!, points[at + 1]!, points[at + 2]!)
    const isLeaving = (b < from && a >= from) || (b > to && a <= to)
    if (b < from && a >= from) addCrossing(part, points, at, from, axis)
    if (b > to && a <= to) addCrossing(part, points, at, to, axis)
    if (isLeaving && !isRing) {
      parts.push(part)
      part = []
    }
  }
  const end = points.length - 3
  const last = points[end + axis]!
  if (last >= from && last <= to) part.push(points[end]!, points[end + 1]!, points[end + 2]!)
  if (part.length > 0) parts.push(part)
  return parts
}

/**
 * Adds the point at which the segment from `at` crosses the value. Its importance of 1 retains it in
 * simplification.
 */
function addCrossing(part: number[], points: Points, at: number, value: number, axis: 0 | 1): void {
  const [ax, ay, bx, by] = [points[at]!, points[at + 1]!, points[at + 3]!, points[at + 4]!]
  if (axis === 0) part.push(value, ay + ((by - ay) * (value - ax)) / (bx - ax), 1)
  else part.push(ax + ((bx - ax) * (value - ay)) / (by - ay), value, 1)
}
