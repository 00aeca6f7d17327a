import type { Point } from './point.ts'

/** A point well inside the area between the rings (outer one and holes, in any order or orientation). */
export function innerPoint(rings: readonly (readonly Point[])[]): Point {
  let [south, north] = [Infinity, -Infinity]
  for (const ring of rings) {
    for (const [, y] of ring) {
      south = Math.min(south, y)
      north = Math.max(north, y)
    }
  }
  let best: Point = rings[0]![0]!
  let widest = -1
  for (const share of [0.5, 0.27, 0.73, 0.12, 0.88]) {
    const y = south + (north - south) * share
    const crossings = crossingsAt(rings, y)
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const width = crossings[i + 1]! - crossings[i]!
      if (width > widest) [widest, best] = [width, [(crossings[i]! + crossings[i + 1]!) / 2, y]]
    }
  }
  return best
}

function crossingsAt(rings: readonly (readonly Point[])[], y: number): number[] {
  const crossings: number[] = []
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [xi, yi] = ring[i]!
      const [xj, yj] = ring[j]!
      if (yi > y !== yj > y) crossings.push(((xj - xi) * (y - yi)) / (yj - yi) + xi)
    }
  }
  return crossings.sort((p, q) => p - q)
}
