import type { StreetEdge } from '../street-graph.ts'

/** Writes x and y of the place `offset` metres along an edge into `into`, without making objects. */
export function placeOnEdge({ path, length }: StreetEdge, offset: number, into: Float64Array): void {
  let rest = Math.min(offset, length)
  for (let i = 2; i < path.length; i += 2) {
    const dx = path[i]! - path[i - 2]!
    const dy = path[i + 1]! - path[i - 1]!
    const piece = Math.sqrt(dx * dx + dy * dy)
    if (rest <= piece || i === path.length - 2) {
      const share = piece === 0 ? 0 : Math.min(1, rest / piece)
      into[0] = path[i - 2]! + dx * share
      into[1] = path[i - 1]! + dy * share
      return
    }
    rest -= piece
  }
}
