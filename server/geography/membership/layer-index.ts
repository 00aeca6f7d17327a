import type { Grid } from './grid.ts'

/** Codes of cells: a face below `blockCode`, a block of finer cells from there, an edge cell from `edgeCode`. */
export const blockCode = 2 ** 30
export const edgeCode = 2 ** 31

/**
 * The finer cells with edges, in columns, because threads transfer typed arrays for free but clone objects one by one.
 * Cell n has a reference point, its edges from `edgeStarts[n]` to `edgeStarts[n + 1]`, and `faceCounts[n]` faces from
 * `faceStarts[n]`, by the bits of its candidates; `ref` are the bits at the reference point.
 */
export interface EdgeCells {
  rx: Float64Array
  ry: Float64Array
  ref: Uint32Array
  faceStarts: Uint32Array
  faceCounts: Uint32Array
  faces: Uint32Array
  edgeStarts: Uint32Array
  x0: Float64Array
  x1: Float64Array
  y0: Float64Array
  slope: Float64Array
  hx: Float64Array
  bit: Uint32Array
}

/** Finds the shapes that contain a point. Most cells have one face; only points in edge cells are tested against edges. */
export interface LayerIndex {
  grid: Grid
  /** The code of each cell, row by row from the southwest; then `fine`² codes per block. */
  codes: Uint32Array
  edgeCells: EdgeCells
  /** The shapes of face n are from `faceStarts[n]` to `faceStarts[n + 1]`. */
  faceStarts: Uint32Array
  faceShapes: Uint32Array
}

export const edgeCellCount = ({ edgeCells }: LayerIndex): number => edgeCells.rx.length
export const faceCount = ({ faceStarts }: LayerIndex): number => faceStarts.length - 1
/** Numbers of the shapes of a face. */
export const shapesOfFace = ({ faceStarts, faceShapes }: LayerIndex, face: number): Uint32Array =>
  faceShapes.subarray(faceStarts[face], faceStarts[face + 1])

/** The buffers of indexes that are transferred to another thread instead of copied. */
export const listBuffers = (indexes: readonly LayerIndex[]): ArrayBuffer[] =>
  indexes.flatMap(({ codes, edgeCells, faceStarts, faceShapes }) =>
    [codes, faceStarts, faceShapes, ...(Object.values(edgeCells) as (Float64Array | Uint32Array)[])].map(
      ({ buffer }) => buffer as ArrayBuffer,
    ),
  )
