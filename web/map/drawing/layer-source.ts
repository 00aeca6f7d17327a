import type { ExpressionSpecification } from 'maplibre-gl'

/** Which layer of which tiles is drawn, and what the drawings of it are called. */
export interface LayerSource {
  /** Begins the ids of all its drawings. */
  id: string
  source: string
  sourceLayer: string
  /** The name of a thing; empty where it has none. */
  name: ExpressionSpecification
}

export const sourceReference = ({ source, sourceLayer }: LayerSource) =>
  ({ source, 'source-layer': sourceLayer }) as const

export const hasName = ({ name }: LayerSource): ExpressionSpecification => ['!=', name, '']
export const hasGeometryType = (type: 'Polygon' | 'LineString' | 'Point'): ExpressionSpecification => [
  '==',
  ['geometry-type'],
  type,
]
