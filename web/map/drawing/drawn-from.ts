import type { ExpressionSpecification } from 'maplibre-gl'

/** Which layer of which tiles is drawn, and what the drawings of it are called. */
export interface DrawnFrom {
  /** Begins the ids of all its drawings. */
  id: string
  source: string
  sourceLayer: string
  /** The name of a thing; empty where it has none. */
  name: ExpressionSpecification
}

export const sourceOf = ({ source, sourceLayer }: DrawnFrom) =>
  ({ source, 'source-layer': sourceLayer }) as const

export const isNamed = ({ name }: DrawnFrom): ExpressionSpecification => ['!=', name, '']
export const isOf = (type: 'Polygon' | 'LineString' | 'Point'): ExpressionSpecification => [
  '==',
  ['geometry-type'],
  type,
]
