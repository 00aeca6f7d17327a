/**
 * Vertices and the edges between them; nothing crosses once `nodeMesh` has been over it.
 * `line[e]` says which drawn line the edge belongs to.
 */
export interface Mesh {
  x: number[]
  y: number[]
  from: number[]
  to: number[]
  line: number[]
}

/** Drops the edges that are not wanted. Vertices stay, even if nothing leads to them any more. */
export function keepEdges(mesh: Mesh, wanted: (edge: number) => boolean): void {
  let count = 0
  for (let e = 0; e < mesh.from.length; e++) {
    if (!wanted(e)) continue
    mesh.from[count] = mesh.from[e]!
    mesh.to[count] = mesh.to[e]!
    mesh.line[count] = mesh.line[e]!
    count++
  }
  mesh.from.length = mesh.to.length = mesh.line.length = count
}
