import { drawMesh } from './draw-mesh.ts'
import type { Mesh } from './mesh.ts'
import { nodeMesh } from './node-mesh.ts'
import type { Point } from './point.ts'

/** A closed square, counter-clockwise from its south-west corner. */
export function squareRing(west: number, south: number, side: number): Point[] {
  return [
    [west, south],
    [west + side, south],
    [west + side, south + side],
    [west, south + side],
    [west, south],
  ]
}

/** The knotted mesh of a board of streets: so many lines each way, so many metres apart; lines along x come first. */
export function boardMesh(lines: number, gap: number): Mesh {
  const span = (lines - 1) * gap
  const at = Array.from({ length: lines }, (_, i) => i * gap)
  const mesh = drawMesh([
    ...at.map((y): Point[] => [
      [0, y],
      [span, y],
    ]),
    ...at.map((x): Point[] => [
      [x, 0],
      [x, span],
    ]),
  ])
  nodeMesh(mesh, 5, (line) => line)
  return mesh
}
