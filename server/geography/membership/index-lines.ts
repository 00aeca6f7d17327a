import { createHash } from 'node:crypto'
import type { Grid } from './grid.ts'
import { edgeCellCount, faceCount, type LayerIndex, shapesOfFace } from './layer-index.ts'

/** An index as the fact store takes it: rows of its three tables as text, made where there is time for it. */
export interface IndexLines {
  name: string
  grid: Grid
  /** Bytes of the rows, and how many cells, edge cells or faces they tell. */
  codes: { lines: Uint8Array; size: number }
  edges: { lines: Uint8Array; size: number }
  faces: { lines: Uint8Array; size: number }
}

type Row = (string | number)[]

/** ClickHouse's text for numbers in arrays. */
const text = (value: number): string => (value === Infinity ? 'inf' : value === -Infinity ? '-inf' : String(value))
const list = (values: ArrayLike<number>): string => `[${Array.from(values, text).join(',')}]`
export const rowLines = (rows: Row[]): Uint8Array => Buffer.from(rows.map((row) => row.join('\t')).join('\n') + '\n')

/** Changes with the form of the stored index, so that an old one is never read as a new one. */
export const indexForm = 2

const indexName = (content: string, part: number): string => `mi_${createHash('sha256').update(`${indexForm} ${content} ${part}`).digest('hex').slice(0, 24)}`

/** Cells of one row of the table. */
const step = 4096

/** The rows of an index: the `part`th of some content. */
export function indexLines(content: string, part: number, index: LayerIndex): IndexLines {
  const { grid, codes, edgeCells: cells } = index
  const name = indexName(content, part)
  const codeRows: Row[] = []
  for (let first = 0; first < codes.length; first += step) codeRows.push([name, first, list(codes.subarray(first, first + step))])
  const edgeRows = Array.from({ length: edgeCellCount(index) }, (_, at): Row => {
    const [from, until] = [cells.edgeStarts[at], cells.edgeStarts[at + 1]]
    const first = cells.faceStarts[at] as number
    const faces = cells.faces.subarray(first, first + (cells.faceCounts[at] as number))
    return [name, at, cells.rx[at] as number, cells.ry[at] as number, list(faces), cells.ref[at] as number, ...[cells.x0, cells.x1, cells.y0, cells.slope, cells.hx, cells.bit].map((column) => list(column.subarray(from, until)))]
  })
  const faceRows = Array.from({ length: faceCount(index) }, (_, face): Row => [name, face, list(shapesOfFace(index, face))])
  return {
    name,
    grid,
    codes: { lines: rowLines(codeRows), size: codes.length },
    edges: { lines: rowLines(edgeRows), size: edgeRows.length },
    faces: { lines: rowLines(faceRows), size: faceRows.length },
  }
}
