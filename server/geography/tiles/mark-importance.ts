/** Points as x, y, importance. The importance is the square of how far a point is off the line that would be drawn without it; ends have 1. */
export type Points = Float64Array

/** Fills in the importance of all points but the ends (Douglas and Peucker); below `least` it stays 0. */
export function markImportance(points: Points, least: number): void {
  const end = points.length - 3
  points[2] = 1
  points[end + 2] = 1
  const spans: [number, number][] = [[0, end]]
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [first, last] = span
    const found = farthest(points, first, last, least)
    if (!found) continue
    points[found.at + 2] = found.off
    if (found.at - first > 3) spans.push([first, found.at])
    if (last - found.at > 3) spans.push([found.at, last])
  }
}

/** The point between two that is farthest off their line, if it is off by more than `least`; of equals the one nearest the middle. */
function farthest(
  points: Points,
  first: number,
  last: number,
  least: number,
): { at: number; off: number } | null {
  const middle = first + ((last - first) >> 1)
  let [off, at, toMiddle] = [least, -1, last - first]
  for (let here = first + 3; here < last; here += 3) {
    const far = offLine(points, here, first, last)
    if (far > off) {
      at = here
      off = far
    } else if (far === off && at >= 0 && Math.abs(here - middle) < toMiddle) {
      toMiddle = Math.abs(here - middle)
      at = here
    }
  }
  return at < 0 ? null : { at, off }
}

/** Square of the distance of a point to the stretch between two others. */
function offLine(points: Points, here: number, first: number, last: number): number {
  let [x, y] = [points[first]!, points[first + 1]!]
  const [px, py, endX, endY] = [points[here]!, points[here + 1]!, points[last]!, points[last + 1]!]
  const [dx, dy] = [endX - x, endY - y]
  if (dx !== 0 || dy !== 0) {
    const along = ((px - x) * dx + (py - y) * dy) / (dx * dx + dy * dy)
    if (along > 1) [x, y] = [endX, endY]
    else if (along > 0) [x, y] = [x + dx * along, y + dy * along]
  }
  return (px - x) ** 2 + (py - y) ** 2
}
