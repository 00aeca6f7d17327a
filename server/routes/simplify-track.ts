import type { Track } from './plane.ts'

/**
 * Returns the squared distance of point `p` from the line between points `a` and `b`; all three are indices
 * of the track.
 */
function computeSquaredDistance({ x, y }: Track, p: number, a: number, b: number): number {
  const [ax, ay] = [x[a] as number, y[a] as number]
  const [dx, dy] = [(x[b] as number) - ax, (y[b] as number) - ay]
  const [px, py] = [(x[p] as number) - ax, (y[p] as number) - ay]
  const length = dx * dx + dy * dy
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / length))
  return (px - share * dx) ** 2 + (py - share * dy) ** 2
}

/**
 * Returns the indices of the points that remain after simplification by the Douglas-Peucker algorithm,
 * including both ends.
 */
export function simplifyTrack(track: Track, toleranceMeters: number): number[] {
  const count = track.x.length
  if (count <= 2) return Array.from({ length: count }, (_, index) => index)
  const isRetained = new Uint8Array(count)
  isRetained[0] = isRetained[count - 1] = 1
  // A stack instead of recursion, which would be too deep for tracks of thousands of points.
  const pendingParts: [number, number][] = [[0, count - 1]]
  for (let part = pendingParts.pop(); part; part = pendingParts.pop()) {
    const [from, until] = part
    let [farthest, maxDistance] = [-1, toleranceMeters * toleranceMeters]
    for (let i = from + 1; i < until; i++) {
      const distance = computeSquaredDistance(track, i, from, until)
      if (distance > maxDistance) [farthest, maxDistance] = [i, distance]
    }
    if (farthest < 0) continue
    isRetained[farthest] = 1
    pendingParts.push([from, farthest], [farthest, until])
  }
  const retained: number[] = []
  for (let i = 0; i < count; i++) if (isRetained[i]) retained.push(i)
  return retained
}
