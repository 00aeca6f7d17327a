import { drawMesh } from '../plane/draw-mesh.ts'
import type { Mesh } from '../plane/mesh.ts'
import { nodeMesh } from '../plane/node-mesh.ts'
import type { DrawnLine } from './drawn-line.ts'

/** Who gives way where lines come very close: the lower rank stays in its place. */
const RANKS: Record<DrawnLine['kind'], number> = {
  shore: 0,
  limit: 1,
  freeway: 2,
  arterial: 3,
  park: 4,
  collector: 5,
  local: 6,
}

function lineRank(line: DrawnLine): number {
  return RANKS[line.kind]
}

/** Nothing on the map is closer together than about this many metres. */
const near = 14

/** The mesh of all the lines, cut where they meet. */
export function knotLines(lines: readonly DrawnLine[]): Mesh {
  const mesh = drawMesh(lines.map(({ points }) => points))
  const ranks = lines.map(lineRank)
  nodeMesh(mesh, near, (line) => ranks[line]!)
  return mesh
}
