import { appendTo } from '#contract/group-by.ts'
import type { Edge } from './edge.ts'
import type { Grid } from './grid.ts'

/** Tolerance for rounding, as a share of a cell: an edge this close to a cell counts as crossing it. */
const margin = 1e-6

const clamp = (value: number, max: number): number => Math.max(0, Math.min(max, value))

/** Groups edges by the cells that they cross. Cells are numbered row by row. */
export function groupEdgesByCell(grid: Grid, edges: readonly Edge[]): Map<number, Edge[]> {
  const edgesByCell = new Map<number, Edge[]>()
  for (const edge of edges) {
    const [low, high] = edge.ay <= edge.by ? [edge.ay, edge.by] : [edge.by, edge.ay]
    const from = clamp(Math.floor((low - grid.south) / grid.dy - margin), grid.ny - 1)
    const to = clamp(Math.floor((high - grid.south) / grid.dy + margin), grid.ny - 1)
    for (let j = from; j <= to; j++) {
      const [x0, x1] = clipSpan(
        edge,
        grid.south + j * grid.dy - margin * grid.dy,
        grid.south + (j + 1) * grid.dy + margin * grid.dy,
      )
      const left = clamp(Math.floor((x0 - grid.west) / grid.dx - margin), grid.nx - 1)
      const right = clamp(Math.floor((x1 - grid.west) / grid.dx + margin), grid.nx - 1)
      for (let i = left; i <= right; i++) {
        appendTo(edgesByCell, j * grid.nx + i, edge)
      }
    }
  }
  return edgesByCell
}

/**
 * Returns the smallest and largest x of the part of an edge between y0 and y1. Called for every row of every
 * edge, so it allocates little.
 */
export function clipSpan({ ax, ay, bx, by }: Edge, y0: number, y1: number): [number, number] {
  if (ay === by) return [ax, bx]
  const share0 = Math.max(0, Math.min(1, (y0 - ay) / (by - ay)))
  const share1 = Math.max(0, Math.min(1, (y1 - ay) / (by - ay)))
  const x0 = ax + Math.min(share0, share1) * (bx - ax)
  const x1 = ax + Math.max(share0, share1) * (bx - ax)
  return [x0, x1]
}
