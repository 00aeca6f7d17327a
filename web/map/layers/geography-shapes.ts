import type { Geometry, Position } from '#contract/place.ts'
import { type Scheme, dataColors } from '#web/kit/theme.ts'
import type { ShapeLabel } from './shape-values.ts'

/** A geometry in a comparison: the base version, the local one, or the one saved by others. */
export interface ComparedOutline {
  role: 'base' | 'mine' | 'theirs'
  geom: Geometry
}

/** An unsaved shape, drawn above the tiles, which contain only stored shapes. */
export interface DraftOutline {
  id: string
  geom: Geometry
  kind: 'created' | 'changed' | 'deleted'
}

/** Input of the map of a layer's shapes. */
export interface GeographyShapes {
  /** Name of the tile source; changes with the content. */
  key: string
  tiles: string
  /** `none`: the layer has no shapes. */
  geometry: 'area' | 'line' | 'point' | 'mixed' | 'none'
  scheme: Scheme
  /** Label points; null if labels are taken from the tiles, because there are too many shapes. */
  labels: readonly ShapeLabel[] | null
  /** Ids of overlapping areas from bottom to top; null if they do not overlap. */
  stack: readonly string[] | null
  /** Shapes of the tiles that are hidden because the draft or the drawing engine shows them. */
  hidden: readonly string[]
  draft: readonly DraftOutline[]
  compared: readonly ComparedOutline[]
  /** Positions of geometry errors. */
  problems: readonly Position[]
  selected: string | null
}

/** Color and dash pattern of each side of a comparison, so that color is not the only difference. */
export function getComparedStyle(
  scheme: Scheme,
  role: ComparedOutline['role'],
): { color: string; dash: [number, number] } {
  const { categorical } = dataColors[scheme]
  if (role === 'base') return { color: dataColors[scheme].outline, dash: [1, 1.5] }
  return role === 'mine'
    ? { color: categorical[0]!, dash: [1, 0] }
    : { color: categorical[1]!, dash: [4, 1.5] }
}
