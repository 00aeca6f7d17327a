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
