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

/** Returns the source of a layer of a style. */
export const sourceReference = ({ source, sourceLayer }: LayerSource) =>
  ({ source, 'source-layer': sourceLayer }) as const

/** Filter: features that have a name. */
export const hasName = ({ name }: LayerSource): ExpressionSpecification => ['!=', name, '']
/** Filter: features with a type of geometry. */
export const hasGeometryType = (type: 'Polygon' | 'LineString' | 'Point'): ExpressionSpecification => [
  '==',
  ['geometry-type'],
  type,
]

/** Interpolates a width between zoom and value pairs; it grows exponentially, like the map scale. */
export const byZoom = (...stops: [zoom: number, value: number][]): ExpressionSpecification =>
  ['interpolate', ['exponential', 1.5], ['zoom'], ...stops.flat()] as unknown as ExpressionSpecification

/** Sort key for overlapping shapes from bottom to top, so that the smallest one is visible and clickable. */
export function stackSortKey(stack: readonly string[]): ExpressionSpecification {
  const [first, ...others] = stack
  if (first === undefined) return ['literal', 0] as unknown as ExpressionSpecification
  return [
    'match',
    ['get', 'shape_uuid'],
    first,
    0,
    ...others.flatMap((id, index) => [id, index + 1]),
    0,
  ] as unknown as ExpressionSpecification
}
