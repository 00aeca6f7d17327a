import type { Track } from './plane.ts'

/**
 * Returns the squared distance of point `p` from the line between points `a` and `b`; all three are indices
 * of the track.
 */
function computeSquaredDistance({ x, y }: Track, p: number, a: number, b: number): number {
  const dx = (x[b] as number) - (x[a] as number)
  const dy = (y[b] as number) - (y[a] as number)
  const px = (x[p] as number) - (x[a] as number)
  const py = (y[p] as number) - (y[a] as number)
  const squaredLength = dx * dx + dy * dy
  const share = squaredLength === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / squaredLength))
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
    let farthest = -1
    let maxSquaredDistance = toleranceMeters ** 2
    for (let i = from + 1; i < until; i++) {
      const squaredDistance = computeSquaredDistance(track, i, from, until)
      if (squaredDistance <= maxSquaredDistance) continue
      farthest = i
      maxSquaredDistance = squaredDistance
    }
    if (farthest < 0) continue
    isRetained[farthest] = 1
    pendingParts.push([from, farthest], [farthest, until])
  }
  const retainedIndexes: number[] = []
  for (let i = 0; i < count; i++) if (isRetained[i]) retainedIndexes.push(i)
  return retainedIndexes
}
