import { type Edge, type Point, toggles } from './edge.ts'
import { fine } from './grid.ts'
import { blockCode, countEdgeCells, edgeCode, type LayerIndex, getShapesOfFace } from './layer-index.ts'

/**
 * Returns the numbers of the shapes that contain a point. face-sql.ts computes the same in the fact store.
 * The code of the point's cell (i, j), or of its finer cell (a, b), is a face or an edge cell. In an edge
 * cell, the bit of each edge that the line from the reference point crosses is flipped, which gives the face.
 */
export function findShapesAt(index: LayerIndex, x: number, y: number): number[] {
  const { grid, codes, edgeCells: cells } = index
  if (!(x >= grid.west && x < grid.east && y >= grid.south && y < grid.north)) return []
  const [u, v] = [(x - grid.west) / grid.dx, (y - grid.south) / grid.dy]
  const [i, j] = [Math.min(Math.floor(u), grid.nx - 1), Math.min(Math.floor(v), grid.ny - 1)]
  let code = codes[j * grid.nx + i] as number
  if (code >= blockCode) {
    const a = Math.min(Math.floor((u - i) * fine), fine - 1)
    const b = Math.min(Math.floor((v - j) * fine), fine - 1)
    code = codes[grid.nx * grid.ny + (code - blockCode) * fine * fine + b * fine + a] as number
  }
  if (code < edgeCode) return [...getShapesOfFace(index, code)]
  const cell = code - edgeCode
  if (cell >= countEdgeCells(index)) return []
  let bits = cells.ref[cell] as number
  const reference: Point = { x: cells.rx[cell] as number, y: cells.ry[cell] as number }
  const point: Point = { x, y }
  // One object for all edges; `toggles` reads neither `by` nor `shapes`.
  const edge: Edge = { ax: 0, ay: 0, bx: 0, by: 0, slope: 0, shapes: [] }
  for (let k = cells.edgeStarts[cell] as number; k < (cells.edgeStarts[cell + 1] as number); k++) {
    edge.ax = cells.x0[k] as number
    edge.ay = cells.y0[k] as number
    edge.bx = cells.x1[k] as number
    edge.slope = cells.slope[k] as number
    if (toggles(edge, cells.hx[k] as number, reference, point)) bits ^= cells.bit[k] as number
  }
  return [...getShapesOfFace(index, cells.faces[(cells.faceStarts[cell] as number) + bits] as number)]
}
