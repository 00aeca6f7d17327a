import { toggles } from './edge.ts'
import { fine } from './grid.ts'
import { blockCode, edgeCode, type LayerIndex } from './layer-index.ts'

/** Numbers of the shapes that a point is in, by the index; face-sql.ts asks the same of the store. */
export function shapesAt({ grid, codes, edgeCells, faces }: LayerIndex, x: number, y: number): number[] {
  if (!(x >= grid.west && x < grid.east && y >= grid.south && y < grid.north)) return []
  const [u, v] = [(x - grid.west) / grid.dx, (y - grid.south) / grid.dy]
  const [i, j] = [Math.min(Math.floor(u), grid.nx - 1), Math.min(Math.floor(v), grid.ny - 1)]
  let code = codes[j * grid.nx + i] as number
  if (code >= blockCode) {
    const a = Math.min(Math.floor((u - i) * fine), fine - 1)
    const b = Math.min(Math.floor((v - j) * fine), fine - 1)
    code = codes[grid.nx * grid.ny + (code - blockCode) * fine * fine + b * fine + a] as number
  }
  if (code < edgeCode) return faces[code] as number[]
  const cell = edgeCells[code - edgeCode]
  if (!cell) return []
  let bits = cell.ref
  for (let k = 0; k < cell.hx.length; k++) {
    const edge = { ax: cell.x0[k] as number, ay: cell.y0[k] as number, bx: cell.x1[k] as number, by: 0, slope: cell.slope[k] as number, shapes: [] }
    if (toggles(edge, cell.hx[k] as number, cell.rx, cell.ry, x, y)) bits ^= cell.bit[k] as number
  }
  return faces[cell.faces[bits] as number] as number[]
}
