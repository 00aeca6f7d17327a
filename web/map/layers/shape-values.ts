import type { Position } from '#contract/place.ts'
import type { Scheme } from '#web/kit/theme.ts'

/** Bin of a shape: its index, a real zero, or no data. */
export type ShapeBin = number | 'zero' | 'none'

/** Input of a map with one value per shape. */
export interface ShapeValues {
  /** Name of the source; changes with the tiles, so that no states remain on old ones. */
  key: string
  tiles: string
  geometry: 'area' | 'line' | 'point' | 'mixed' | 'none'
  binById: ReadonlyMap<string, ShapeBin>
  colors: readonly string[]
  scheme: Scheme
  labels: readonly ShapeLabel[]
  /** Ids of overlapping areas from bottom to top; null if they do not overlap. */
  stack: readonly string[] | null
}

export interface ShapeLabel {
  name: string
  point: Position
  /** Larger shapes are labeled first. */
  size: number
}
