import type { Grid } from './grid.ts'

/** Codes of cells: below `blockCode` a face, from it a block of finer cells, from `edgeCode` an edge cell. */
export const blockCode = 2 ** 30
export const edgeCode = 2 ** 31

/**
 * The finer cells with edges. In columns, because typed arrays are transferred between threads without
 * copying. Cell n has a reference point (rx, ry), edges from `edgeStarts[n]` until `edgeStarts[n + 1]`, and
 * `faceCounts[n]` faces from `faceStarts[n]`. A face is found by the bits of the candidates that contain a
 * point; `ref` has the bits of the reference point. The columns from `x0` on are of edges (edge.ts); `bit`
 * has the bits of the candidates that an edge is a border of.
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

/**
 * An index for finding the shapes that contain a point. Most cells have one face; only points in edge cells
 * are tested against edges.
 */
export interface LayerIndex {
  grid: Grid
  /** The code of each cell, row by row from the southwest, followed by `fine`² codes per block. */
  codes: Uint32Array
  edgeCells: EdgeCells
  /** The shapes of face n are in `faceShapes`, from `faceStarts[n]` until `faceStarts[n + 1]`. */
  faceStarts: Uint32Array
  faceShapes: Uint32Array
}

export const countEdgeCells = ({ edgeCells }: LayerIndex): number => edgeCells.rx.length
export const countFaces = ({ faceStarts }: LayerIndex): number => faceStarts.length - 1
export const getShapesOfFace = ({ faceStarts, faceShapes }: LayerIndex, face: number): Uint32Array =>
  faceShapes.subarray(faceStarts[face], faceStarts[face + 1])

/** Lists the buffers of indexes, which are transferred to another thread instead of copied. */
export const listBuffers = (indexes: readonly LayerIndex[]): ArrayBuffer[] =>
  indexes.flatMap(({ codes, edgeCells, faceStarts, faceShapes }) =>
    [codes, faceStarts, faceShapes, ...(Object.values(edgeCells) as (Float64Array | Uint32Array)[])].map(
      ({ buffer }) => buffer as ArrayBuffer,
    ),
  )
