import type { Mesh } from './mesh.ts'

/** A vertex at which an edge is to be cut; `at` is the share of its length, from 0 to 1. */
export interface Cut {
  at: number
  vertex: number
}

/** Replaces each edge that has cuts by the row of edges through them. */
export function splitEdges(mesh: Mesh, cuts: ReadonlyMap<number, Cut[]>): void {
  for (const [edge, list] of cuts) {
    list.sort((p, q) => p.at - q.at)
    const end = mesh.to[edge]!
    let start = mesh.from[edge]!
    list.forEach(({ vertex }, i) => {
      if (i === 0) {
        mesh.to[edge] = vertex
      } else {
        mesh.from.push(start)
        mesh.to.push(vertex)
        mesh.line.push(mesh.line[edge]!)
      }
      start = vertex
    })
    mesh.from.push(start)
    mesh.to.push(end)
    mesh.line.push(mesh.line[edge]!)
  }
}
