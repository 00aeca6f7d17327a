import { edgesAt } from './edges-at.ts'
import type { Mesh } from './mesh.ts'

/** Edges in a row from one junction or end to the next; all of one line. */
export interface Chain {
  line: number
  edges: number[]
  /** One more than the edges. */
  vertices: number[]
  length: number
}

/** All edges of a mesh as chains. */
export function chainEdges(mesh: Mesh): Chain[] {
  const { first, half } = edgesAt(mesh)
  const passable = (v: number): boolean => {
    const i = first[v]!
    return first[v + 1]! - i === 2 && mesh.line[half[i]! >> 1] === mesh.line[half[i + 1]! >> 1]
  }
  const used = new Uint8Array(mesh.from.length)
  const chains: Chain[] = []
  const walk = (start: number, h: number): void => {
    const chain: Chain = { line: mesh.line[h >> 1]!, edges: [], vertices: [start], length: 0 }
    let v = start
    for (let arrived = h; !used[arrived >> 1];) {
      const e = arrived >> 1
      used[e] = 1
      chain.edges.push(e)
      const w = arrived & 1 ? mesh.from[e]! : mesh.to[e]!
      chain.length += Math.hypot(mesh.x[w]! - mesh.x[v]!, mesh.y[w]! - mesh.y[v]!)
      chain.vertices.push(w)
      v = w
      if (passable(w)) arrived = half[first[w]!]! >> 1 === e ? half[first[w]! + 1]! : half[first[w]!]!
    }
    chains.push(chain)
  }
  // First from junctions and ends; what is left then runs in circles.
  for (const circles of [false, true]) {
    for (let v = 0; v < mesh.x.length; v++) {
      if (passable(v) !== circles) continue
      for (let i = first[v]!; i < first[v + 1]!; i++) if (!used[half[i]! >> 1]) walk(v, half[i]!)
    }
  }
  return chains
}
