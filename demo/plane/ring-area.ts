import type { Point } from './point.ts'

/** Signed area of a ring (closed or not): positive when it runs counter-clockwise. */
export function ringArea(ring: readonly Point[]): number {
  let twice = 0
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    twice += ring[j]![0] * ring[i]![1] - ring[i]![0] * ring[j]![1]
  }
  return twice / 2
}
