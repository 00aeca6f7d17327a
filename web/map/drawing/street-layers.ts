import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { BasemapPalette } from './basemap-palette.ts'
import { byZoom } from './by-zoom.ts'
import { type LayerSource, hasName, hasGeometryType, sourceReference } from './layer-source.ts'
import { fontStack } from './fonts.ts'

type Stop = [zoom: number, value: number]

export const streetClasses = ['path', 'local', 'collector', 'arterial', 'freeway'] as const
export type StreetClass = (typeof streetClasses)[number]

interface StreetStyle {
  name: StreetClass
  from: number
  width: Stop[]
  namedFrom: number
}

/** From the least to the greatest, so that greater streets cross over lesser ones, and their names are placed first. */
const streetStyles: StreetStyle[] = [
  {
    name: 'path',
    from: 14,
    width: [
      [14, 0.7],
      [16, 1.4],
      [18, 4],
    ],
    namedFrom: 16,
  },
  {
    name: 'local',
    from: 12,
    width: [
      [12, 0.4],
      [14, 1.6],
      [16, 6],
      [18, 18],
    ],
    namedFrom: 15,
  },
  {
    name: 'collector',
    from: 10.5,
    width: [
      [10.5, 0.4],
      [13, 1.6],
      [16, 9],
      [18, 24],
    ],
    namedFrom: 14,
  },
  {
    name: 'arterial',
    from: 9,
    width: [
      [9, 0.5],
      [12, 1.8],
      [14, 4],
      [16, 13],
      [18, 30],
    ],
    namedFrom: 12.5,
  },
  {
    name: 'freeway',
    from: 6,
    width: [
      [6, 0.6],
      [10, 2],
      [13, 4.5],
      [16, 17],
      [18, 36],
    ],
    namedFrom: 11,
  },
]

/** The class of a street in our own layers. */
export const ownStreetClass: ExpressionSpecification = [
  'match',
  ['get', 'class'],
  [...streetClasses],
  ['get', 'class'],
  'local',
]

const round = { 'line-cap': 'round', 'line-join': 'round' } as const
const hasClass = (classOf: ExpressionSpecification, name: string): ExpressionSpecification => [
  'all',
  hasGeometryType('LineString'),
  ['==', classOf, name],
]

/** Streets of one source: all casings first, so that a crossing is open and not barred. What is of no known class is not drawn. */
export function streetLayers(
  of: LayerSource,
  colors: BasemapPalette,
  classOf: ExpressionSpecification,
): LayerSpecification[] {
  const common = { type: 'line', ...sourceReference(of), layout: round } as const
  const cased = streetStyles.filter(({ name }) => name !== 'path')
  const casings = cased.map(({ name, from, width }): LayerSpecification => ({
    ...common,
    id: `${of.id}:${name}:casing`,
    minzoom: Math.max(from, 11),
    filter: hasClass(classOf, name),
    paint: {
      'line-color': name === 'freeway' ? colors.freewayCasing : colors.casing,
      'line-width': byZoom(...width.map(([zoom, value]): Stop => [zoom, value + (zoom < 13 ? 0.8 : 2)])),
    },
  }))
  const fills = streetStyles.map(({ name, from, width }): LayerSpecification => ({
    ...common,
    id: `${of.id}:${name}`,
    minzoom: from,
    filter: hasClass(classOf, name),
    // A path is dashes without a casing.
    ...(name === 'path'
      ? {
          layout: { 'line-join': 'round' },
          paint: { 'line-color': colors.path, 'line-width': byZoom(...width), 'line-dasharray': [3, 2] },
        }
      : { paint: { 'line-color': colors[name], 'line-width': byZoom(...width) } }),
  }))
  return [...casings, ...fills]
}

/** Names of streets along them, the greater ones from farther away. */
export function streetLabels(
  of: LayerSource,
  colors: BasemapPalette,
  classOf: ExpressionSpecification,
): LayerSpecification[] {
  return streetStyles.map(({ name, namedFrom }): LayerSpecification => ({
    id: `${of.id}:${name}:name`,
    type: 'symbol',
    ...sourceReference(of),
    minzoom: namedFrom,
    filter: ['all', hasClass(classOf, name), hasName(of)],
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': 320,
      'text-field': of.name,
      'text-font': fontStack.regular,
      'text-size': byZoom([12, 10], [16, 12]),
      'text-padding': 6,
      'text-max-angle': 30,
    },
    paint: { 'text-color': colors.streetText, 'text-halo-color': colors.textHalo, 'text-halo-width': 1.4 },
  }))
}

/** Rails: a thin line with ties from close by. */
export function railLayers(
  of: LayerSource,
  colors: BasemapPalette,
  only: ExpressionSpecification | true = true,
): LayerSpecification[] {
  const filter: ExpressionSpecification = ['all', hasGeometryType('LineString'), only]
  return [
    {
      id: of.id,
      type: 'line',
      ...sourceReference(of),
      minzoom: 10,
      filter,
      paint: { 'line-color': colors.rail, 'line-width': byZoom([10, 0.5], [14, 1], [18, 3]) },
    },
    {
      id: `${of.id}:ties`,
      type: 'line',
      ...sourceReference(of),
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
