import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { BasemapPalette } from './basemap-palette.ts'
import { type LayerSource, hasName, sourceReference } from './style-expressions.ts'
import { fontStack } from './fonts.ts'

export const placeClasses = ['city', 'town', 'suburb', 'neighbourhood'] as const
export type PlaceClass = (typeof placeClasses)[number]

const placeStyles: { name: PlaceClass; minZoom: number; maxZoom: number; size: number }[] = [
  { name: 'neighbourhood', minZoom: 13, maxZoom: 17, size: 11 },
  { name: 'suburb', minZoom: 11, maxZoom: 16, size: 12 },
  { name: 'town', minZoom: 8, maxZoom: 15, size: 13 },
  { name: 'city', minZoom: 3, maxZoom: 14, size: 15 },
]

/** Class of a place in our own layers. */
export const ownPlaceClass: ExpressionSpecification = [
  'match',
  ['get', 'class'],
  'city',
  'city',
  ['town', 'village'],
  'town',
  ['suburb', 'quarter'],
  'suburb',
  'neighbourhood',
]

/** Labels of places. Larger ones come first, from lower zooms; at high zooms street names suffice. */
export const placeLabels = (
  layer: LayerSource,
  colors: BasemapPalette,
  placeClass: ExpressionSpecification,
): LayerSpecification[] =>
  placeStyles.map(({ name, minZoom, maxZoom, size }) => ({
    id: `${layer.id}:${name}:name`,
    type: 'symbol',
    ...sourceReference(layer),
    minzoom: minZoom,
    maxzoom: maxZoom,
    filter: ['all', hasName(layer), ['==', placeClass, name]],
    layout: {
      'text-field': layer.name,
      'text-font': name === 'neighbourhood' ? fontStack.regular : fontStack.medium,
      'text-size': size,
      'text-max-width': 7,
      'text-padding': 8,
    },
    paint: { 'text-color': colors.text, 'text-halo-color': colors.textHalo, 'text-halo-width': 1.4 },
  }))
