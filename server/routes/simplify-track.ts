import type { Track } from './track.ts'

/** Squared distance of point `at` from the line between points `a` and `b`. */
function squaredDistance({ x, y }: Track, at: number, a: number, b: number): number {
  const [ax, ay] = [x[a] as number, y[a] as number]
  const [dx, dy] = [(x[b] as number) - ax, (y[b] as number) - ay]
  const [px, py] = [(x[at] as number) - ax, (y[at] as number) - ay]
  const length = dx * dx + dy * dy
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / length))
  return (px - share * dx) ** 2 + (py - share * dy) ** 2
}

/** The points of a track that describe its route within some meters (Douglas and Peucker), always with the ends; in order. */
export function simplifyTrack(track: Track, toleranceMeters: number): number[] {
  const count = track.x.length
  if (count <= 2) return Array.from({ length: count }, (_, at) => at)
  const isRetained = new Uint8Array(count)
  isRetained[0] = isRetained[count - 1] = 1
  // A list of open stretches: a track of thousands of points would be too deep for calls within calls.
  const open: [number, number][] = [[0, count - 1]]
  for (let stretch = open.pop(); stretch; stretch = open.pop()) {
    const [from, until] = stretch
    let [furthest, maxDistance] = [-1, toleranceMeters * toleranceMeters]
    for (let at = from + 1; at < until; at++) {
      const off = squaredDistance(track, at, from, until)
      if (off > maxDistance) [furthest, maxDistance] = [at, off]
    }
    if (furthest < 0) continue
    isRetained[furthest] = 1
    open.push([from, furthest], [furthest, until])
  }
  const retained: number[] = []
  for (let at = 0; at < count; at++) if (isRetained[at]) retained.push(at)
  return retained
}
