import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { BasemapPalette } from './basemap-palette.ts'
import { type LayerSource, byZoom, hasGeometryType, hasName, sourceReference } from './style-expressions.ts'
import { fontStack } from './fonts.ts'

/** Parks, woods and meadows. `extraFilter` excludes other land uses of the same layer. */
export const parkLayers = (
  layer: LayerSource,
  colors: BasemapPalette,
  extraFilter: ExpressionSpecification | true = true,
): LayerSpecification[] => {
  const filter: ExpressionSpecification = ['all', hasGeometryType('Polygon'), extraFilter]
  return [
    { id: layer.id, type: 'fill', ...sourceReference(layer), filter, paint: { 'fill-color': colors.park } },
    {
      id: `${layer.id}:line`,
      type: 'line',
      ...sourceReference(layer),
      minzoom: 12,
      filter,
      paint: { 'line-color': colors.parkLine, 'line-width': 0.8 },
    },
  ]
}

/** Streams are narrower than rivers. */
const streamWidth = (width: number): ExpressionSpecification => [
  'match',
  ['get', 'class'],
  'stream',
  width * 0.4,
  width,
]

/** Water areas and rivers. */
export const waterLayers = (layer: LayerSource, colors: BasemapPalette): LayerSpecification[] => [
  {
    id: layer.id,
    type: 'fill',
    ...sourceReference(layer),
    filter: hasGeometryType('Polygon'),
    paint: { 'fill-color': colors.water },
  },
  {
    id: `${layer.id}:line`,
    type: 'line',
    ...sourceReference(layer),
    minzoom: 12,
    filter: hasGeometryType('Polygon'),
    paint: { 'line-color': colors.waterLine, 'line-width': 0.8 },
  },
  {
    id: `${layer.id}:stream`,
    type: 'line',
    ...sourceReference(layer),
    filter: hasGeometryType('LineString'),
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: {
      'line-color': colors.water,
      'line-width': [
        'interpolate',
        ['exponential', 1.5],
        ['zoom'],
        10,
        streamWidth(0.8),
        14,
        streamWidth(3),
        18,
        streamWidth(16),
      ],
    },
  },
]

export const landLayers = (layer: LayerSource, colors: BasemapPalette): LayerSpecification[] => [
  {
    id: layer.id,
    type: 'fill',
    ...sourceReference(layer),
    filter: hasGeometryType('Polygon'),
    paint: { 'fill-color': colors.land },
  },
]

/** Buildings, from zoom 14 on. */
export const buildingLayers = (layer: LayerSource, colors: BasemapPalette): LayerSpecification[] => [
  {
    id: layer.id,
    type: 'fill',
    ...sourceReference(layer),
    minzoom: 14,
    filter: hasGeometryType('Polygon'),
    paint: {
      'fill-color': colors.building,
      'fill-opacity': ['interpolate', ['linear'], ['zoom'], 14, 0.4, 16, 1],
    },
  },
]

/** An area is labeled in each of its tiles; wide padding leaves one visible name. */
const areaLabel = (layer: LayerSource, color: string, halo: string, minzoom: number): LayerSpecification => ({
  id: `${layer.id}:name`,
  type: 'symbol',
  ...sourceReference(layer),
  minzoom,
  filter: ['all', hasName(layer), hasGeometryType('Polygon')],
  layout: {
    'text-field': layer.name,
    'text-font': fontStack.italic,
    'text-size': byZoom([13, 10.5], [17, 13]),
    'text-max-width': 7,
    'text-padding': 40,
  },
  paint: { 'text-color': color, 'text-halo-color': halo, 'text-halo-width': 1.2 },
})

export const parkLabels = (layer: LayerSource, colors: BasemapPalette): LayerSpecification[] => [
  areaLabel(layer, colors.parkText, colors.textHalo, 13),
]

/** Returns the names of lakes, and of rivers along their course. */
export const waterLabels = (layer: LayerSource, colors: BasemapPalette): LayerSpecification[] => [
  areaLabel(layer, colors.waterText, colors.textHalo, 12.5),
  {
    id: `${layer.id}:stream:name`,
    type: 'symbol',
    ...sourceReference(layer),
    minzoom: 12,
    filter: ['all', hasName(layer), hasGeometryType('LineString')],
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': 480,
      'text-field': layer.name,
      'text-font': fontStack.italic,
      'text-size': byZoom([12, 10.5], [16, 13]),
      'text-padding': 10,
      'text-max-angle': 30,
    },
    paint: { 'text-color': colors.waterText, 'text-halo-color': colors.textHalo, 'text-halo-width': 1.2 },
  },
]
