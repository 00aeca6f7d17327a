import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { BasemapPalette } from './basemap-palette.ts'
import { byZoom } from './by-zoom.ts'
import { type LayerSource, hasName, hasGeometryType, sourceReference } from './layer-source.ts'
import { fontStack } from './fonts.ts'

/** Parks, woods and meadows. `only`: those of a layer that holds other uses of land as well. */
export const parkLayers = (
  of: LayerSource,
  colors: BasemapPalette,
  only: ExpressionSpecification | true = true,
): LayerSpecification[] => {
  const filter: ExpressionSpecification = ['all', hasGeometryType('Polygon'), only]
  return [
    { id: of.id, type: 'fill', ...sourceReference(of), filter, paint: { 'fill-color': colors.park } },
    {
      id: `${of.id}:line`,
      type: 'line',
      ...sourceReference(of),
      minzoom: 12,
      filter,
      paint: { 'line-color': colors.parkLine, 'line-width': 0.8 },
    },
  ]
}

/** A stream is less than a river. */
const streamWidth = (width: number): ExpressionSpecification => [
  'match',
  ['get', 'class'],
  'stream',
  width * 0.4,
  width,
]

/** Water: areas, and rivers that come as lines. */
export const waterLayers = (of: LayerSource, colors: BasemapPalette): LayerSpecification[] => [
  {
    id: of.id,
    type: 'fill',
    ...sourceReference(of),
    filter: hasGeometryType('Polygon'),
    paint: { 'fill-color': colors.water },
  },
  {
    id: `${of.id}:line`,
    type: 'line',
    ...sourceReference(of),
    minzoom: 12,
    filter: hasGeometryType('Polygon'),
    paint: { 'line-color': colors.waterLine, 'line-width': 0.8 },
  },
  {
    id: `${of.id}:stream`,
    type: 'line',
    ...sourceReference(of),
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

export const landLayers = (of: LayerSource, colors: BasemapPalette): LayerSpecification[] => [
  {
    id: of.id,
    type: 'fill',
    ...sourceReference(of),
    filter: hasGeometryType('Polygon'),
    paint: { 'fill-color': colors.land },
  },
]

export const buildingLayers = (of: LayerSource, colors: BasemapPalette): LayerSpecification[] => [
  {
    id: of.id,
    type: 'fill',
    ...sourceReference(of),
    minzoom: 14,
    filter: hasGeometryType('Polygon'),
    paint: {
      'fill-color': colors.building,
      'fill-opacity': ['interpolate', ['linear'], ['zoom'], 14, 0.4, 16, 1],
    },
  },
]

const areaLabel = (of: LayerSource, color: string, halo: string, minzoom: number): LayerSpecification => ({
  // An area that several tiles cut is named in each of them: wide padding leaves one name in sight.
  id: `${of.id}:name`,
  type: 'symbol',
  ...sourceReference(of),
  minzoom,
  filter: ['all', hasName(of), hasGeometryType('Polygon')],
  layout: {
    'text-field': of.name,
    'text-font': fontStack.italic,
    'text-size': byZoom([13, 10.5], [17, 13]),
    'text-max-width': 7,
    'text-padding': 40,
  },
  paint: { 'text-color': color, 'text-halo-color': halo, 'text-halo-width': 1.2 },
})

export const parkLabels = (of: LayerSource, colors: BasemapPalette): LayerSpecification[] => [
  areaLabel(of, colors.parkText, colors.textHalo, 13),
]

export const waterLabels = (of: LayerSource, colors: BasemapPalette): LayerSpecification[] => [
  areaLabel(of, colors.waterText, colors.textHalo, 12.5),
  {
    id: `${of.id}:stream:name`,
    type: 'symbol',
    ...sourceReference(of),
    minzoom: 12,
    filter: ['all', hasName(of), hasGeometryType('LineString')],
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': 480,
      'text-field': of.name,
      'text-font': fontStack.italic,
      'text-size': byZoom([12, 10.5], [16, 13]),
      'text-padding': 10,
      'text-max-angle': 30,
    },
    paint: { 'text-color': colors.waterText, 'text-halo-color': colors.textHalo, 'text-halo-width': 1.2 },
  },
]
