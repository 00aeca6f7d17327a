import type { Box } from '#contract/place.ts'

/**
 * A grid of nx × ny cells over a box. Cell (i, j) starts at (west + i·dx, south + j·dy), and is divided into
 * `fine` × `fine` finer cells.
 */
export interface Grid {
  west: number
  south: number
  east: number
  north: number
  nx: number
  ny: number
  dx: number
  dy: number
}

/** Number of finer cells along one side of a cell. */
export const fine = 8

/** The place of the reference point in its cell. Odd fractions, so that it is rarely on a drawn line. */
const offsetX = 0.4871236731
const offsetY = 0.5137219873

const maxCellsPerSide = 4096

/** Creates a grid of about `cells` square cells over a box, with a margin of a millionth. */
export function createGrid(box: Box, cells: number): Grid {
  const marginX = (box[2] - box[0]) * 1e-6 + 1e-9
  const marginY = (box[3] - box[1]) * 1e-6 + 1e-9
  const west = box[0] - marginX
  const south = box[1] - marginY
  const east = box[2] + marginX
  const north = box[3] + marginY
  // In degrees of latitude, so that cells are square on the ground.
  const width = (east - west) * Math.max(0.01, Math.cos((((south + north) / 2) * Math.PI) / 180))
  const side = Math.sqrt((width * (north - south)) / cells)
  const nx = Math.min(maxCellsPerSide, Math.max(1, Math.ceil(width / side)))
  const ny = Math.min(maxCellsPerSide, Math.max(1, Math.ceil((north - south) / side)))
  return { west, south, east, north, nx, ny, dx: (east - west) / nx, dy: (north - south) / ny }
}

/** Return the coordinates of the reference point of a cell. */
export const referenceX = (grid: Grid, i: number): number => grid.west + (i + offsetX) * grid.dx
export const referenceY = (grid: Grid, j: number): number => grid.south + (j + offsetY) * grid.dy
/** Returns the first column with a reference point at or right of x. */
export const firstReferenceFrom = (grid: Grid, x: number): number =>
  Math.max(0, Math.ceil((x - grid.west) / grid.dx - offsetX))
/** Return the coordinates of the reference point of a finer cell, number a from the left and b from below. */
export const fineReferenceX = (grid: Grid, i: number, a: number): number =>
  grid.west + (i + (a + offsetX) / fine) * grid.dx
export const fineReferenceY = (grid: Grid, j: number, b: number): number =>
  grid.south + (j + (b + offsetY) / fine) * grid.dy
