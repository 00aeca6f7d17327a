import { drawMesh } from '../plane/draw-mesh.ts'
import type { Mesh } from '../plane/mesh.ts'
import { nodeMesh } from '../plane/node-mesh.ts'
import type { DrawnLine } from './drawn-line.ts'
import { lineRank } from './line-rank.ts'

/** Nothing on the map is closer together than about this many metres. */
const NEAR = 14

/** The mesh of all the lines, cut where they meet. */
export function knotLines(lines: readonly DrawnLine[]): Mesh {
  const mesh = drawMesh(lines.map(({ points }) => points))
  const ranks = lines.map(lineRank)
  nodeMesh(mesh, NEAR, (line) => ranks[line]!)
  return mesh
}
