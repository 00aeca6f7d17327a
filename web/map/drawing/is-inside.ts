import type { Position } from '#contract/place.ts'

/**
 * Whether a position is inside rings by the even-odd rule: holes are outside, and so are overlaps of two
 * rings.
 */
export function isInside([x, y]: Position, rings: readonly (readonly Position[])[]): boolean {
  let inside = false
  for (const ring of rings) {
    for (let i = 0; i + 1 < ring.length; i++) {
      const [[x1, y1], [x2, y2]] = [ring[i]!, ring[i + 1]!]
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside
    }
  }
  return inside
}
