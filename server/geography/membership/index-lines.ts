import { createHash } from 'node:crypto'
import { BinaryRows } from '#server/stores/row-binary.ts'
import type { Grid } from './grid.ts'
import { countEdgeCells, countFaces, type LayerIndex, getShapesOfFace } from './layer-index.ts'

/** An index encoded as rows of its three tables in the fact store. */
export interface IndexLines {
  name: string
  grid: Grid
  /** Rows in RowBinary, and the number of cells, edge cells or faces that they contain. */
  codes: { rows: Uint8Array; size: number }
  edges: { rows: Uint8Array; size: number }
  faces: { rows: Uint8Array; size: number }
}

/** Version of the stored form. It must be increased with every change, so that older indexes are not read. */
export const indexForm = 2

const makeIndexName = (content: string, part: number): string =>
  `mi_${createHash('sha256').update(`${indexForm} ${content} ${part}`).digest('hex').slice(0, 24)}`

/** Number of cells in one row of the table. */
const cellsPerRow = 4096

/** Encodes an index. `content` identifies the content of the layer; `part` is the number of the index. */
export function encodeIndex(content: string, part: number, index: LayerIndex): IndexLines {
  const { grid, codes, edgeCells: cells } = index
  const name = makeIndexName(content, part)
  const codeRows = new BinaryRows()
  for (let first = 0; first < codes.length; first += cellsPerRow)
    codeRows
      .string(name)
      .uint64(first)
      .array(codes.subarray(first, first + cellsPerRow))
  const edgeRows = new BinaryRows()
  for (let cell = 0; cell < countEdgeCells(index); cell++) {
    const from = cells.edgeStarts[cell] as number
    const until = cells.edgeStarts[cell + 1] as number
    const face = cells.faceStarts[cell] as number
    edgeRows
      .string(name)
      .uint64(cell)
      .float64(cells.rx[cell] as number)
      .float64(cells.ry[cell] as number)
      .array(cells.faces.subarray(face, face + (cells.faceCounts[cell] as number)))
      .uint32(cells.ref[cell] as number)
    for (const column of [cells.x0, cells.x1, cells.y0, cells.slope, cells.hx, cells.bit])
      edgeRows.array(column.subarray(from, until))
  }
  const faceRows = new BinaryRows()
  for (let face = 0; face < countFaces(index); face++)
    faceRows.string(name).uint64(face).array(getShapesOfFace(index, face))
  return {
    name,
    grid,
    codes: { rows: codeRows.bytes(), size: codes.length },
    edges: { rows: edgeRows.bytes(), size: countEdgeCells(index) },
    faces: { rows: faceRows.bytes(), size: countFaces(index) },
  }
}
