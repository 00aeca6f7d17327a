import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { BasemapPalette } from './basemap-palette.ts'
import { type DrawnFrom, isNamed, sourceOf } from './drawn-from.ts'
import { face } from './fonts.ts'

export const placeClasses = ['city', 'town', 'suburb', 'neighbourhood'] as const
export type PlaceClass = (typeof placeClasses)[number]

const classes: { name: PlaceClass; from: number; until: number; size: number }[] = [
  { name: 'neighbourhood', from: 13, until: 17, size: 11 },
  { name: 'suburb', from: 11, until: 16, size: 12 },
  { name: 'town', from: 8, until: 15, size: 13 },
  { name: 'city', from: 3, until: 14, size: 15 },
]

/** The class of a place in our own layers. */
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

/** Names of places, the greater ones from farther away and placed first. Close by, streets say where one is. */
export const placeLabels = (
  of: DrawnFrom,
  colors: BasemapPalette,
  classOf: ExpressionSpecification,
): LayerSpecification[] =>
  classes.map(({ name, from, until, size }) => ({
    id: `${of.id}:${name}:name`,
    type: 'symbol',
    ...sourceOf(of),
    minzoom: from,
    maxzoom: until,
    filter: ['all', isNamed(of), ['==', classOf, name]],
    layout: {
      'text-field': of.name,
      'text-font': name === 'neighbourhood' ? face.regular : face.medium,
      'text-size': size,
      'text-max-width': 7,
      'text-padding': 8,
    },
    paint: { 'text-color': colors.text, 'text-halo-color': colors.textHalo, 'text-halo-width': 1.4 },
  }))
