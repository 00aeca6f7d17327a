import type { Position } from '#contract/place.ts'

/** Whether a place is inside of rings by the even-odd rule: holes are outside, and so is what two rings share. */
export function isInside([x, y]: Position, rings: readonly (readonly Position[])[]): boolean {
  let inside = false
  for (const ring of rings) {
    for (let at = 0; at + 1 < ring.length; at++) {
      const [[x1, y1], [x2, y2]] = [ring[at]!, ring[at + 1]!]
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside
    }
  }
  return inside
}
