import type { Grid } from './grid.ts'

/** Codes of cells: a face below `blockCode`, a block of finer cells from there, an edge cell from `edgeCode`. */
export const blockCode = 2 ** 30
export const edgeCode = 2 ** 31

/** A finer cell that edges pass: the reference point, the faces by the bits of its candidates, and its edges as columns. */
export interface EdgeCell {
  rx: number
  ry: number
  faces: number[]
  ref: number
  x0: number[]
  x1: number[]
  y0: number[]
  slope: number[]
  hx: number[]
  bit: number[]
}

/** Tells for any point which shapes it is in: cells answer at once, only points in edge cells look at edges. */
export interface LayerIndex {
  grid: Grid
  /** Code of each cell, row by row from the south-west; then `fine`² codes a block. */
  codes: Uint32Array
  edgeCells: EdgeCell[]
  /** Shapes of each face. */
  faces: number[][]
}
