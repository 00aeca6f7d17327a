import type { ExpressionSpecification } from 'maplibre-gl'

/** A layer of a tile source, and the prefix of the style layers drawn from it. */
export interface LayerSource {
  /** Prefix of the ids of the style layers. */
  id: string
  source: string
  sourceLayer: string
  /** Name of a feature; empty if it has none. */
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
