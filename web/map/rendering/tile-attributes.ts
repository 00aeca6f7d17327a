import type { ExpressionSpecification } from 'maplibre-gl'
import { streetClassOfLayer } from './tile-layer-role.ts'

/** Returns the first of these attributes that a feature has, as text. */
const firstAttribute = (...keys: string[]): ExpressionSpecification =>
  [
    'to-string',
    ['coalesce', ...keys.map((key): ExpressionSpecification => ['get', key]), ''],
  ] as unknown as ExpressionSpecification

/** Name of a feature, under the attribute names used by common tiles. */
export const tileName = firstAttribute('name', 'NAME', 'Name', 'FULL_NAME', 'name:latin', 'label')

/** The more specific attribute and the general one; tiles have one or both. */
const detail = firstAttribute('kind_detail', 'pmap:kind_detail', 'highway', 'railway', 'subclass')
const kind = firstAttribute('kind', 'pmap:kind', 'class', 'fclass', 'type')

const pathKinds = ['path', 'footway', 'cycleway', 'pedestrian', 'track', 'bridleway', 'other', 'trail']
const railKinds = [
  'rail',
  'railway',
  'light_rail',
  'tram',
  'subway',
  'narrow_gauge',
  'monorail',
  'transit',
  'funicular',
]
const ignoredKinds = [
  'ferry',
  'steps',
  'sidewalk',
  'crossing',
  'elevator',
  'corridor',
  'construction',
  'proposed',
  'pier',
  'raceway',
  'aerialway',
  'runway',
  'taxiway',
  'aeroway',
  'gallop',
  'abandoned',
  'disused',
  'razed',
  'platform',
  'turntable',
  'roundhouse',
  'station',
]

/** Street class of a feature: `rail` for rails, `none` for features that are not drawn. */
export function tileStreetClass(layer: string): ExpressionSpecification {
  const classes = (attribute: ExpressionSpecification, otherwise: unknown): ExpressionSpecification =>
    [
      'match',
      attribute,
      ['motorway', 'trunk', 'highway', 'freeway'],
      'freeway',
      [
        'primary',
        'secondary',
        'major_road',
        'medium_road',
        'arterial',
        'main',
        'motorway_link',
        'trunk_link',
      ],
      'arterial',
      ['tertiary', 'collector', 'busway', 'primary_link', 'secondary_link'],
      'collector',
      [
        'residential',
        'unclassified',
        'living_street',
        'service',
        'minor',
        'minor_road',
        'road',
        'local',
        'street',
        'tertiary_link',
      ],
      'local',
      pathKinds,
      'path',
      railKinds,
      'rail',
      ignoredKinds,
      'none',
      otherwise,
    ] as unknown as ExpressionSpecification
  return classes(detail, classes(kind, streetClassOfLayer(layer)))
}

/** Whether a land use is green. Not needed for layers that only contain parks. */
export const isGreen: ExpressionSpecification = [
  'any',
  ...[kind, detail, firstAttribute('leisure', 'landuse', 'natural')].map(
    (attribute): ExpressionSpecification =>
      [
        'in',
        attribute,
        [
          'literal',
          [
            'park',
            'wood',
            'forest',
            'grass',
            'meadow',
            'garden',
            'nature_reserve',
            'golf_course',
            'cemetery',
            'recreation_ground',
            'village_green',
            'allotments',
            'grassland',
            'scrub',
            'heath',
            'wetland',
            'dog_park',
            'common',
            'national_park',
            'protected_area',
            'farmland_green',
            'wood_land',
          ],
        ],
      ] as unknown as ExpressionSpecification,
  ),
] as unknown as ExpressionSpecification

/** Place class of a feature; `none` for places that are not labeled. */
export const tilePlaceClass: ExpressionSpecification = [
  'match',
  firstAttribute('kind_detail', 'pmap:kind_detail', 'place', 'class', 'kind', 'pmap:kind'),
  ['city', 'capital', 'locality', 'megacity'],
  'city',
  ['town', 'village', 'hamlet'],
  'town',
  ['suburb', 'quarter', 'macrohood', 'borough'],
  'suburb',
  ['country', 'region', 'state', 'continent', 'ocean', 'sea', 'province'],
  'none',
  'neighbourhood',
] as unknown as ExpressionSpecification
