type Points = ArrayLike<number>

/** The part of some points between two values of x (axis 0) or y (axis 1). */
export function clipDots(points: Points, from: number, to: number, axis: 0 | 1): number[] {
  const kept: number[] = []
  for (let at = 0; at < points.length; at += 3)
    if (points[at + axis]! >= from && points[at + axis]! <= to)
      kept.push(points[at]!, points[at + 1]!, points[at + 2]!)
  return kept
}

/** The part of a ring between two values, closed along them. */
export function clipRing(points: Points, from: number, to: number, axis: 0 | 1): number[] {
  const kept = cut(points, from, to, axis, true).flat()
  const last = kept.length - 3
  if (last >= 3 && (kept[last] !== kept[0] || kept[last + 1] !== kept[1]))
    kept.push(kept[0]!, kept[1]!, kept[2]!)
  return kept
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
      if (b >= from) meet(part, points, at, from, axis)
    } else if (a > to) {
      if (b <= to) meet(part, points, at, to, axis)
    } else part.push(points[at]!, points[at + 1]!, points[at + 2]!)
    const leaves = (b < from && a >= from) || (b > to && a <= to)
    if (b < from && a >= from) meet(part, points, at, from, axis)
    if (b > to && a <= to) meet(part, points, at, to, axis)
    if (leaves && !isRing) {
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

/** Where the stretch that begins at `at` meets the value; such a point is never left out. */
function meet(part: number[], points: Points, at: number, value: number, axis: 0 | 1): void {
  const [ax, ay, bx, by] = [points[at]!, points[at + 1]!, points[at + 3]!, points[at + 4]!]
  if (axis === 0) part.push(value, ay + ((by - ay) * (value - ax)) / (bx - ax), 1)
  else part.push(ax + ((bx - ax) * (value - ay)) / (by - ay), value, 1)
}
