import type { StreetEdge } from '../street-graph.ts'

/** Writes x and y of the position `offset` meters along an edge to `into`, without allocating objects. */
export function placeOnEdge({ path, length }: StreetEdge, offset: number, into: Float64Array): void {
  let remaining = Math.min(offset, length)
  for (let i = 2; i < path.length; i += 2) {
    const dx = path[i]! - path[i - 2]!
    const dy = path[i + 1]! - path[i - 1]!
    const segmentLength = Math.sqrt(dx * dx + dy * dy)
    if (remaining <= segmentLength || i === path.length - 2) {
      const share = segmentLength === 0 ? 0 : Math.min(1, remaining / segmentLength)
      into[0] = path[i - 2]! + dx * share
      into[1] = path[i - 1]! + dy * share
      return
    }
    remaining -= segmentLength
  }
}
