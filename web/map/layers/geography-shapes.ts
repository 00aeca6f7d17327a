import type { Geometry, Position } from '#contract/place.ts'
import { type Scheme, dataColors } from '#web/kit/theme.ts'
import type { ShapeLabel } from './shape-values.ts'

/** A geometry that is compared with others: as it was, as it is here, as others saved it. */
export interface ComparedOutline {
  role: 'base' | 'mine' | 'theirs'
  geom: Geometry
}

/** What is not saved yet: drawn over the tiles, which know the stored shapes only. */
export interface DraftOutline {
  id: string
  geom: Geometry
  kind: 'created' | 'changed' | 'deleted'
}

/** What a map of a layer's shapes is drawn from. */
export interface GeographyShapes {
  /** Names the source of the tiles; changes with their content. */
  key: string
  tiles: string
  geometry: 'area' | 'line' | 'point' | 'mixed' | 'none'
  scheme: Scheme
  /** Names from points; null: from the tiles, where shapes are too many. */
  labels: readonly ShapeLabel[] | null
  /** Where areas lie over each other: from the lowest to the topmost. */
  stack: readonly string[] | null
  /** Shapes of the tiles that are not drawn: the draft or the drawing engine shows them. */
  hidden: readonly string[]
  draft: readonly DraftOutline[]
  compared: readonly ComparedOutline[]
  /** Where a geometry is wrong. */
  problems: readonly Position[]
  selected: string | null
}

/** One colour for each side of a comparison, and a dash, so that colour alone tells nothing. */
export function comparedStyle(
  scheme: Scheme,
  role: ComparedOutline['role'],
): { color: string; dash: [number, number] } {
  const { categorical } = dataColors[scheme]
  if (role === 'base') return { color: dataColors[scheme].outline, dash: [1, 1.5] }
  return role === 'mine'
    ? { color: categorical[0]!, dash: [1, 0] }
    : { color: categorical[1]!, dash: [4, 1.5] }
}
