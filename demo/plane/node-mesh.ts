import { crossEdges } from './cross-edges.ts'
import { mergeVertices } from './merge-vertices.ts'
import type { Mesh } from './mesh.ts'
import { snapVertices } from './snap-vertices.ts'

/** Cuts all edges where they cross and tidies what lies closer than `near` metres, until edges meet at vertices only. */
export function nodeMesh(mesh: Mesh, near: number, rankOfLine: (line: number) => number): void {
  for (let round = 0; round < 8; round++) {
    const crossings = crossEdges(mesh)
    mergeVertices(mesh, near, rankOfLine)
    const snaps = snapVertices(mesh, near / 2, rankOfLine)
    // Snapping may lead an edge over one that already runs there.
    if (snaps > 0) mergeVertices(mesh, near / 4, rankOfLine)
    if (crossings === 0 && snaps === 0) return
  }
}
