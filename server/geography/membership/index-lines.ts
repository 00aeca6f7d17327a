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
const text = (value: number): string =>
  value === Infinity ? 'inf' : value === -Infinity ? '-inf' : String(value)
function list(values: ArrayLike<number>): string {
  let row = ''
  for (let at = 0; at < values.length; at++) row += `${at ? ',' : ''}${text(values[at] as number)}`
  return `[${row}]`
}
export const rowLines = (rows: Row[]): Uint8Array =>
  Buffer.from(rows.map((row) => row.join('\t')).join('\n') + '\n')

/** Changes with the form of the stored index, so that an old one is never read as a new one. */
export const indexForm = 2

const indexName = (content: string, part: number): string =>
  `mi_${createHash('sha256').update(`${indexForm} ${content} ${part}`).digest('hex').slice(0, 24)}`

/** Cells of one row of the table. */
const step = 4096

/** The rows of edge cells. An edge passes many cells, and cells share faces: the text of their numbers, which is what costs, is made once. */
function edgeLines(name: string, index: LayerIndex): Row[] {
  const { edgeCells: cells } = index
  const made = [cells.x0, cells.x1, cells.y0, cells.slope].map((column) => ({
    column,
    texts: [] as string[],
  }))
  const faceTexts: string[] = []
  return Array.from({ length: edgeCellCount(index) }, (_, at): Row => {
    const from = cells.edgeStarts[at] as number
    const until = cells.edgeStarts[at + 1] as number
    const first = cells.faceStarts[at] as number
    const faces = (faceTexts[first] ??= list(
      cells.faces.subarray(first, first + (cells.faceCounts[at] as number)),
    ))
    const shared = made.map(({ column, texts }) => {
      let row = ''
      for (let k = from; k < until; k++)
        row += `${k > from ? ',' : ''}${(texts[cells.edges[k] as number] ??= text(column[k] as number))}`
      return `[${row}]`
    })
    const own = [cells.hx, cells.bit].map((column) => list(column.subarray(from, until)))
    return [
      name,
      at,
      cells.rx[at] as number,
      cells.ry[at] as number,
      faces,
      cells.ref[at] as number,
      ...shared,
      ...own,
    ]
  })
}

/** The rows of an index: the `part`th of some content. */
export function indexLines(content: string, part: number, index: LayerIndex): IndexLines {
  const { grid, codes } = index
  const name = indexName(content, part)
  const codeRows: Row[] = []
  for (let first = 0; first < codes.length; first += step)
    codeRows.push([name, first, list(codes.subarray(first, first + step))])
  const edgeRows = edgeLines(name, index)
  const faceRows = Array.from({ length: faceCount(index) }, (_, face): Row => [
    name,
    face,
    list(shapesOfFace(index, face)),
  ])
  return {
    name,
    grid,
    codes: { lines: rowLines(codeRows), size: codes.length },
    edges: { lines: rowLines(edgeRows), size: edgeRows.length },
    faces: { lines: rowLines(faceRows), size: faceRows.length },
  }
}
