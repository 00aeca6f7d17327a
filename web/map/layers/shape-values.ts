import type { Position } from '#contract/place.ts'
import type { Scheme } from '#web/kit/theme.ts'

/** What one shape shows: a bin's number, a real zero, or nothing known. */
export type ShapeClass = number | 'zero' | 'none'

/** What a map of one value per shape is drawn from. */
export interface ShapeValues {
  /** Names the source; changes whenever other tiles are meant, so that states are never left on old ones. */
  key: string
  tiles: string
  geometry: 'area' | 'line' | 'point' | 'mixed' | 'none'
  classes: ReadonlyMap<string, ShapeClass>
  colors: readonly string[]
  scheme: Scheme
  labels: readonly ShapeLabel[]
  /** Where areas lie over each other: from the lowest to the topmost. */
  stack: readonly string[] | null
}

export interface ShapeLabel {
  name: string
  point: Position
  /** The larger, the earlier it is placed. */
  size: number
}
