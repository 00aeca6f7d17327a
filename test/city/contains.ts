import type { Position } from '#contract/place.ts'

/**
 * Whether rings contain a point, by the even-odd rule. Borders are half-open: a point on the border of two
 * neighbors is in one of them. This is the reference for the index of shapes.
 */
export function contains(rings: readonly Position[][], [x, y]: Position): boolean {
  let inside = false
  for (const ring of rings)
    for (let i = 0; i + 1 < ring.length; i++) {
      const a = ring[i] as Position
      const b = ring[i + 1] as Position
      const [low, high] = a[1] <= b[1] ? [a, b] : [b, a]
      if (
        low[1] <= y !== high[1] <= y &&
        low[0] + ((y - low[1]) * (high[0] - low[0])) / (high[1] - low[1]) <= x
      )
        inside = !inside
    }
  return inside
}
