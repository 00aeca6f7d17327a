import type { Point } from './point.ts'

/** The line moved to its left (negative: right) by so many metres at each vertex. */
export function offsetLine(line: readonly Point[], metresAt: (vertex: number) => number): Point[] {
  return line.map((point, i) => {
    const before = line[Math.max(0, i - 1)]!
    const after = line[Math.min(line.length - 1, i + 1)]!
    const length = Math.hypot(after[0] - before[0], after[1] - before[1]) || 1
    const metres = metresAt(i)
    return [
      point[0] - ((after[1] - before[1]) / length) * metres,
      point[1] + ((after[0] - before[0]) / length) * metres,
    ]
  })
}
