import type { Mesh } from './mesh.ts'

/** The half-edges that leave each vertex v: `half[first[v]]` up to, without, `half[first[v + 1]]`. */
export interface EdgesAt {
  first: Int32Array
  half: Int32Array
}

/** Lists half-edges by the vertex they leave, in flat arrays: a list object for each vertex would cost more than all else. */
export function edgesAt(mesh: Mesh): EdgesAt {
  const first = new Int32Array(mesh.x.length + 1)
  for (let e = 0; e < mesh.from.length; e++) {
    first[mesh.from[e]! + 1]!++
    first[mesh.to[e]! + 1]!++
  }
  for (let v = 0; v < mesh.x.length; v++) first[v + 1]! += first[v]!
  const fill = first.slice()
  const half = new Int32Array(mesh.from.length * 2)
  for (let e = 0; e < mesh.from.length; e++) {
    half[fill[mesh.from[e]!]!++] = 2 * e
    half[fill[mesh.to[e]!]!++] = 2 * e + 1
  }
  return { first, half }
}
