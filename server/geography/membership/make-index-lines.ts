import { type Area, type Geometry, isArea, getPolygons } from '#contract/place.ts'
import { growShape } from '../geometry/grow-shape.ts'
import { buildIndexes } from './build-index.ts'
import { encodeIndex, type IndexLines } from './index-lines.ts'
import { blockCode, type LayerIndex } from './layer-index.ts'

/** The input of an index: the shapes of a layer in their order, grown by `buffer` meters. */
export interface IndexWork {
  content: string
  geometries: readonly Geometry[]
  buffer: number
}

export interface MadeIndexes {
  lines: IndexLines[]
  /** Whether shapes of the layer overlap by more than a sliver. */
  overlaps: boolean
}

const growIfNeeded = (geometry: Geometry, buffer: number): Geometry | null =>
  buffer > 0 ? (growShape(geometry, buffer) as Area | null) : geometry

/** Whether shapes overlap by more than a sliver: two contain a cell, or several indexes are needed. */
const hasOverlaps = (indexes: readonly LayerIndex[]): boolean =>
  indexes.length > 1 ||
  indexes.some(({ codes, faceStarts: starts }) =>
    codes.some((code) => code < blockCode && (starts[code + 1] as number) - (starts[code] as number) > 1),
  )

/** Builds the indexes of a layer and their rows for the fact store. Shape n is the nth shape of the layer. */
export function makeIndexLines({ content, geometries, buffer }: IndexWork): MadeIndexes {
  const numberedShapes = geometries.flatMap((geometry, index) => {
    const area = growIfNeeded(geometry, buffer)
    return area && isArea(area) ? [{ number: index + 1, rings: getPolygons(area).flat() }] : []
  })
  const indexes = buildIndexes(numberedShapes)
  const lines = indexes.map((index, part) => encodeIndex(content, part, index))
  return { lines, overlaps: hasOverlaps(indexes) }
}
