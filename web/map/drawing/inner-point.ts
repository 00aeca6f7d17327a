import type { Area, Position } from '#contract/place.ts'
import { polygonsOf } from '#contract/place.ts'

/** A point well inside the largest part of an area, where its name can stand, and that part's size in square degrees. */
export function innerPoint(area: Area): { point: Position; size: number } | null {
  const parts = polygonsOf(area).filter((rings) => (rings[0]?.length ?? 0) > 3)
  const sized = parts
    .map((rings) => ({ rings, size: Math.abs(signedRingArea(rings[0]!)) }))
    .toSorted((a, b) => b.size - a.size)
  const largest = sized[0]
  return largest ? { point: widestMidpoint(largest.rings), size: largest.size } : null
}

const signedRingArea = (ring: readonly Position[]): number =>
  ring.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = ring[(at + 1) % ring.length]!
    return sum + (x * nextY - nextX * y) / 2
  }, 0)

/** Middle of the widest run inside, of several lines across the middle of the part: good enough for a label and cheap for thousands of shapes. */
function widestMidpoint(rings: readonly Position[][]): Position {
  const ys = rings[0]!.map(([, y]) => y)
  const [low, high] = [Math.min(...ys), Math.max(...ys)]
  let best: { point: Position; score: number } = { point: rings[0]![0]!, score: Number.NEGATIVE_INFINITY }
  for (const part of [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74]) {
    const y = low + (high - low) * part
    const crossings = rings.flatMap((ring) => crossingsAt(ring, y)).toSorted((a, b) => a - b)
    for (let at = 0; at + 1 < crossings.length; at += 2) {
      const [from, to] = [crossings[at]!, crossings[at + 1]!]
      const score = (to - from) * (1 - Math.abs(part - 0.5))
      if (score > best.score) best = { point: [(from + to) / 2, y], score }
    }
  }
  return best.point
}

const crossingsAt = (ring: readonly Position[], y: number): number[] =>
  ring.flatMap(([x1, y1], at) => {
    const [x2, y2] = ring[(at + 1) % ring.length]!
    return y1 > y === y2 > y ? [] : [x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)]
  })
