import { type Area, type Geometry, isArea, polygonsOf } from '#contract/place.ts'
import { growShape } from '../geometry/grow-shape.ts'
import { buildIndexes } from './build-index.ts'
import { type IndexLines, indexLines } from './index-lines.ts'
import { blockCode, type LayerIndex } from './layer-index.ts'

/** What the indexes of a layer are built from: its shapes in their order, grown by `buffer` meters. */
export interface IndexWork {
  content: string
  geometries: readonly Geometry[]
  buffer: number
}

export interface MadeIndexes {
  lines: IndexLines[]
  overlaps: boolean
}

const grown = (geometry: Geometry, buffer: number): Geometry | null =>
  buffer > 0 ? (growShape(geometry, buffer) as Area | null) : geometry

/** Whether shapes overlap by more than a sliver: some cell lies entirely in two of them, or there are several indexes. */
const overlap = (indexes: readonly LayerIndex[]): boolean =>
  indexes.length > 1 ||
  indexes.some(({ codes, faceStarts: starts }) =>
    codes.some((code) => code < blockCode && (starts[code + 1] as number) - (starts[code] as number) > 1),
  )

/** Builds the indexes of a layer and their rows for the fact store. Shape n of the index is the nth of the layer. */
export function makeIndexLines({ content, geometries, buffer }: IndexWork): MadeIndexes {
  const numbered = geometries.flatMap((geometry, at) => {
    const area = grown(geometry, buffer)
    return area && isArea(area) ? [{ number: at + 1, rings: polygonsOf(area).flat() }] : []
  })
  const built = buildIndexes(numbered)
  return { lines: built.map((index, part) => indexLines(content, part, index)), overlaps: overlap(built) }
}
