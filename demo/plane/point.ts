/** A place in metres east and north of the middle of the city. */
export type Point = readonly [number, number]

/** Signed area of a ring (closed or not): positive when it runs counter-clockwise. */
export function ringArea(ring: readonly Point[]): number {
  let twice = 0
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    twice += ring[j]![0] * ring[i]![1] - ring[i]![0] * ring[j]![1]
  }
  return twice / 2
}

const metresPerDegree = 111_195

/** From metres around a place to degrees rounded to 6 decimals (about 0.1 m). */
export function toDegrees(lon0: number, lat0: number, [x, y]: Point): [number, number] {
  const lon = lon0 + x / (metresPerDegree * Math.cos((lat0 * Math.PI) / 180))
  const lat = lat0 + y / metresPerDegree
  return [Math.round(lon * 1e6) / 1e6, Math.round(lat * 1e6) / 1e6]
}

/** Whether the point lies inside the ring (closed or not, either orientation). */
export function inRing(ring: readonly Point[], x: number, y: number): boolean {
  let inside = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i]!
    const [xj, yj] = ring[j]!
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside
  }
  return inside
}

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
