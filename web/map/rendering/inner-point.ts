import { type Area, type Position, getPolygons } from '#contract/place.ts'

/**
 * Returns a point well inside the largest part of an area, for its label, and the size of that part in square
 * degrees; null for an area without a valid ring.
 */
export function innerPoint(area: Area): { point: Position; size: number } | null {
  const parts = getPolygons(area).filter((rings) => (rings[0]?.length ?? 0) > 3)
  const sized = parts
    .map((rings) => ({ rings, size: Math.abs(signedRingArea(rings[0]!)) }))
    .toSorted((a, b) => b.size - a.size)
  const largest = sized[0]
  return largest ? { point: widestMidpoint(largest.rings), size: largest.size } : null
}

const signedRingArea = (ring: readonly Position[]): number =>
  ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length]!
    return sum + (x * nextY - nextX * y) / 2
  }, 0)

/** Where the width of an area is measured, as shares of its height, from the middle outward. */
const sectionHeights = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74]

/** Returns the midpoint of the widest of several sections: good enough for a label, fast for thousands of shapes. */
function widestMidpoint(rings: readonly Position[][]): Position {
  const ys = rings[0]!.map(([, y]) => y)
  const minY = Math.min(...ys)
  const maxY = Math.max(...ys)
  let best: { point: Position; score: number } = { point: rings[0]![0]!, score: Number.NEGATIVE_INFINITY }
  for (const fraction of sectionHeights) {
    const y = minY + (maxY - minY) * fraction
    const crossings = rings.flatMap((ring) => findCrossings(ring, y)).toSorted((a, b) => a - b)
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const from = crossings[i]!
      const to = crossings[i + 1]!
      // Wide sections win; those near the middle win over slightly wider ones near the edge.
      const score = (to - from) * (1 - Math.abs(fraction - 0.5))
      if (score > best.score) best = { point: [(from + to) / 2, y], score }
    }
  }
  return best.point
}

const findCrossings = (ring: readonly Position[], y: number): number[] =>
  ring.flatMap(([x1, y1], i) => {
    const [x2, y2] = ring[(i + 1) % ring.length]!
    return y1 > y === y2 > y ? [] : [x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)]
  })

/** Whether a position is inside rings by the even-odd rule: holes and double overlaps are outside. */
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
