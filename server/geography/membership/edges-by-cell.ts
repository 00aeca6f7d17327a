import type { Edge } from './edge.ts'
import type { Grid } from './grid.ts'

/** Tolerance for rounding, as a share of a cell: an edge this close to a cell also counts for it. */
const margin = 1e-6

const clamp = (value: number, max: number): number => Math.max(0, Math.min(max, value))

/** The edges that cross each cell, by its row-major number. */
export function groupEdgesByCell(grid: Grid, edges: readonly Edge[]): Map<number, Edge[]> {
  const passed = new Map<number, Edge[]>()
  for (const edge of edges) {
    const [low, high] = edge.ay <= edge.by ? [edge.ay, edge.by] : [edge.by, edge.ay]
    const from = clamp(Math.floor((low - grid.south) / grid.dy - margin), grid.ny - 1)
    const to = clamp(Math.floor((high - grid.south) / grid.dy + margin), grid.ny - 1)
    for (let j = from; j <= to; j++) {
      const [x0, x1] = spanWithin(
        edge,
        grid.south + j * grid.dy - margin * grid.dy,
        grid.south + (j + 1) * grid.dy + margin * grid.dy,
      )
      const left = clamp(Math.floor((x0 - grid.west) / grid.dx - margin), grid.nx - 1)
      const right = clamp(Math.floor((x1 - grid.west) / grid.dx + margin), grid.nx - 1)
      for (let i = left; i <= right; i++) {
        const cell = j * grid.nx + i
        const list = passed.get(cell)
        if (list) list.push(edge)
        else passed.set(cell, [edge])
      }
    }
  }
  return passed
}

/** Smallest and largest x of the part of an edge between two levels. Allocates little: it runs for every row of every edge. */
export function spanWithin({ ax, ay, bx, by }: Edge, y0: number, y1: number): [number, number] {
  if (ay === by) return [ax, bx]
  const one = Math.max(0, Math.min(1, (y0 - ay) / (by - ay)))
  const other = Math.max(0, Math.min(1, (y1 - ay) / (by - ay)))
  const x0 = ax + Math.min(one, other) * (bx - ax)
  const x1 = ax + Math.max(one, other) * (bx - ax)
  return [x0, x1]
}
