import type { Way } from './street-ways.ts'

/** Where one is after some metres of a way, and where one looks to (degrees from north). */
export function placeOnWay(
  { path, along, length }: Way,
  metres: number,
): { x: number; y: number; heading: number } {
  const wanted = Math.max(0, Math.min(length, metres))
  let low = 0
  let high = along.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (along[middle]! <= wanted) low = middle
    else high = middle
  }
  if (high < 1) return { x: path[0] ?? 0, y: path[1] ?? 0, heading: 0 }
  const [x, y] = [path[2 * low]!, path[2 * low + 1]!]
  const [dx, dy] = [path[2 * high]! - x, path[2 * high + 1]! - y]
  const piece = along[high]! - along[low]!
  const share = piece === 0 ? 0 : (wanted - along[low]!) / piece
  return {
    x: x + dx * share,
    y: y + dy * share,
    heading: (Math.round((Math.atan2(dx, dy) * 180) / Math.PI) + 360) % 360,
  }
}
