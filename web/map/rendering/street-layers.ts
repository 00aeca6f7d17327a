import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { BasemapPalette } from './basemap-palette.ts'
import { type LayerSource, byZoom, hasGeometryType, hasName, sourceReference } from './style-expressions.ts'
import { fontStack } from './fonts.ts'

type Stop = [zoom: number, value: number]

export const streetClasses = ['path', 'local', 'collector', 'arterial', 'freeway'] as const
export type StreetClass = (typeof streetClasses)[number]

interface StreetStyle {
  name: StreetClass
  minZoom: number
  /** Width in pixels by zoom. */
  width: Stop[]
  labelMinZoom: number
}

/** From minor to major, so that major streets are drawn above minor ones and their names are placed first. */
const streetStyles: StreetStyle[] = [
  {
    name: 'path',
    minZoom: 14,
    width: [
      [14, 0.7],
      [16, 1.4],
      [18, 4],
    ],
    labelMinZoom: 16,
  },
  {
    name: 'local',
    minZoom: 12,
    width: [
      [12, 0.4],
      [14, 1.6],
      [16, 6],
      [18, 18],
    ],
    labelMinZoom: 15,
  },
  {
    name: 'collector',
    minZoom: 10.5,
    width: [
      [10.5, 0.4],
      [13, 1.6],
      [16, 9],
      [18, 24],
    ],
    labelMinZoom: 14,
  },
  {
    name: 'arterial',
    minZoom: 9,
    width: [
      [9, 0.5],
      [12, 1.8],
      [14, 4],
      [16, 13],
      [18, 30],
    ],
    labelMinZoom: 12.5,
  },
  {
    name: 'freeway',
    minZoom: 6,
    width: [
      [6, 0.6],
      [10, 2],
      [13, 4.5],
      [16, 17],
      [18, 36],
    ],
    labelMinZoom: 11,
  },
]

/** Class of a street in our own layers. */
export const ownStreetClass: ExpressionSpecification = [
  'match',
  ['get', 'class'],
  [...streetClasses],
  ['get', 'class'],
  'local',
]

const round = { 'line-cap': 'round', 'line-join': 'round' } as const
const hasClass = (streetClass: ExpressionSpecification, name: string): ExpressionSpecification => [
  'all',
  hasGeometryType('LineString'),
  ['==', streetClass, name],
]

/** Street layers of a source. Casings come first, so that crossings are open. Only known classes. */
export function streetLayers(
  layer: LayerSource,
  colors: BasemapPalette,
  streetClass: ExpressionSpecification,
): LayerSpecification[] {
  const common = { type: 'line', ...sourceReference(layer), layout: round } as const
  const casedStyles = streetStyles.filter(({ name }) => name !== 'path')
  const casings = casedStyles.map(({ name, minZoom, width }): LayerSpecification => ({
    ...common,
    id: `${layer.id}:${name}:casing`,
    minzoom: Math.max(minZoom, 11),
    filter: hasClass(streetClass, name),
    paint: {
      'line-color': name === 'freeway' ? colors.freewayCasing : colors.casing,
      'line-width': byZoom(...width.map(([zoom, value]): Stop => [zoom, value + (zoom < 13 ? 0.8 : 2)])),
    },
  }))
  const fills = streetStyles.map(({ name, minZoom, width }): LayerSpecification => ({
    ...common,
    id: `${layer.id}:${name}`,
    minzoom: minZoom,
    filter: hasClass(streetClass, name),
    // Paths are dashed lines without a casing.
    ...(name === 'path'
      ? {
          layout: { 'line-join': 'round' },
          paint: { 'line-color': colors.path, 'line-width': byZoom(...width), 'line-dasharray': [3, 2] },
        }
      : { paint: { 'line-color': colors[name], 'line-width': byZoom(...width) } }),
  }))
  return [...casings, ...fills]
}

/** Street names along the lines; major streets are named from lower zooms. */
export function streetLabels(
  layer: LayerSource,
  colors: BasemapPalette,
  streetClass: ExpressionSpecification,
): LayerSpecification[] {
  return streetStyles.map(({ name, labelMinZoom }): LayerSpecification => ({
    id: `${layer.id}:${name}:name`,
    type: 'symbol',
    ...sourceReference(layer),
    minzoom: labelMinZoom,
    filter: ['all', hasClass(streetClass, name), hasName(layer)],
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': 320,
      'text-field': layer.name,
      'text-font': fontStack.regular,
      'text-size': byZoom([12, 10], [16, 12]),
      'text-padding': 6,
      'text-max-angle': 30,
    },
    paint: { 'text-color': colors.streetText, 'text-halo-color': colors.textHalo, 'text-halo-width': 1.4 },
  }))
}

/** Rails: a thin line, with ties at high zoom. */
export function railLayers(
  layer: LayerSource,
  colors: BasemapPalette,
  extraFilter: ExpressionSpecification | true = true,
): LayerSpecification[] {
  const filter: ExpressionSpecification = ['all', hasGeometryType('LineString'), extraFilter]
  return [
    {
      id: layer.id,
      type: 'line',
      ...sourceReference(layer),
      minzoom: 10,
      filter,
      paint: { 'line-color': colors.rail, 'line-width': byZoom([10, 0.5], [14, 1], [18, 3]) },
    },
    {
      id: `${layer.id}:ties`,
      type: 'line',
      ...sourceReference(layer),
      minzoom: 14,
      filter,
      paint: {
        'line-color': colors.rail,
        'line-width': byZoom([14, 3], [18, 9]),
        'line-dasharray': [0.3, 4],
      },
    },
  ]
}
