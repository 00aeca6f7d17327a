import type {
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  SourceSpecification,
} from 'maplibre-gl'
import { dataColors, fillOpacity, tokens } from '#web/kit/theme.ts'
import { basemapPalette } from '../rendering/basemap-palette.ts'
import { maxTileZoom } from '../rendering/basemap-style.ts'
import { byZoom, stackSortKey } from '../rendering/style-expressions.ts'
import { fontStack } from '../rendering/fonts.ts'
import type { MapLayer } from '../map-layer.ts'
import { getComparedStyle, type GeographyShapes } from './geography-shapes.ts'
import { shapeLabels, shapeLabelSource } from './shape-label-layer.ts'

const isRaised: ExpressionSpecification = [
  'any',
  ['boolean', ['feature-state', 'hover'], false],
  ['boolean', ['feature-state', 'selected'], false],
]
const isSelected: ExpressionSpecification = ['boolean', ['feature-state', 'selected'], false]
const geometryTypes = {
  area: ['Polygon', 'MultiPolygon'],
  line: ['LineString', 'MultiLineString'],
  point: ['Point', 'MultiPoint'],
}

/** Returns the shapes of a layer, with unsaved changes, compared versions and geometry errors above them. */
export function geographyLayer(shapes: GeographyShapes): MapLayer {
  const drawings = [
    ...storedLayers(shapes),
    ...draftLayers(shapes),
    ...comparedLayers(shapes),
    ...problemLayers(shapes),
  ]
  return {
    sources: {
      [shapes.key]: { type: 'vector', tiles: [shapes.tiles], maxzoom: maxTileZoom, promoteId: 'shape_uuid' },
      ...(shapes.labels ? shapeLabelSource(shapes.labels) : {}),
      ...geoJsonSource(
        'geo-draft',
        shapes.draft.map(({ id, geom, kind }) => ({ geom, properties: { shape_uuid: id, kind } })),
      ),
      ...geoJsonSource(
        'geo-compared',
        shapes.compared.map(({ role, geom }) => ({ geom, properties: { role } })),
      ),
      ...geoJsonSource(
        'geo-wrong',
        shapes.problems.map((place) => ({ geom: { type: 'Point', coordinates: place }, properties: {} })),
      ),
    },
    areas: storedAreas(shapes),
    drawings,
    labels: shapes.labels ? shapeLabels(shapes.scheme) : [tileNameLayer(shapes)],
    pointerTarget: {
      source: shapes.key,
      sourceLayer: 'shapes',
      idProperty: 'shape_uuid',
      drawings: [
        'geo-draft-fill',
        'geo-draft-line',
        'geo-draft-point',
        'geo-point',
        'geo-line-touch',
        'geo-fill',
      ],
    },
    states: new Map(),
  }
}

const geoJsonSource = (
  id: string,
  features: { geom: unknown; properties: Record<string, string> }[],
): Record<string, SourceSpecification> => ({
  [id]: {
    type: 'geojson',
    data: {
      type: 'FeatureCollection',
      features: features.map(({ geom, properties }) => ({
        type: 'Feature',
        geometry: geom as GeoJSON.Geometry,
        properties,
      })),
    },
  },
})

const isGeometryKind = (kind: keyof typeof geometryTypes): FilterSpecification => [
  'match',
  ['geometry-type'],
  geometryTypes[kind],
  true,
  false,
]

/** Opacity of overlapping areas: low, so that several on top of each other remain transparent. */
const stackedOpacity = 0.04

const isVisible = (kind: keyof typeof geometryTypes, hidden: GeographyShapes['hidden']) =>
  [
    'all',
    isGeometryKind(kind),
    ['!', ['in', ['get', 'shape_uuid'], ['literal', [...hidden]]]],
  ] as FilterSpecification

const storedAreas = ({ key, scheme, hidden, stack }: GeographyShapes): LayerSpecification[] => [
  {
    id: 'geo-fill',
    type: 'fill',
    source: key,
    'source-layer': 'shapes',
    filter: isVisible('area', hidden),
    layout: stack ? { 'fill-sort-key': stackSortKey(stack) } : {},
    paint: {
      'fill-color': tokens[scheme].teal,
      'fill-opacity': ['case', isRaised, fillOpacity.raised, stack ? stackedOpacity : fillOpacity.default],
    },
  },
]

/** Returns the stored shapes, from tiles. */
function storedLayers({ key, scheme, hidden }: GeographyShapes): LayerSpecification[] {
  const colors = dataColors[scheme]
  const { teal } = tokens[scheme]
  const from = { source: key, 'source-layer': 'shapes' } as const
  return [
    {
      id: 'geo-outline',
      type: 'line',
      ...from,
      filter: isVisible('area', hidden),
      layout: { 'line-join': 'round' },
      paint: {
        'line-color': ['case', isSelected, colors.selected, teal],
        'line-opacity': ['case', isRaised, 1, 0.75],
        'line-width': ['case', isSelected, 3, isRaised, 2, 1],
      },
    },
    {
      id: 'geo-line-touch',
      type: 'line',
      ...from,
      filter: isVisible('line', hidden),
      paint: { 'line-color': colors.halo, 'line-width': 14, 'line-opacity': 0.01 },
    },
    {
      id: 'geo-line',
      type: 'line',
      ...from,
      filter: isVisible('line', hidden),
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: {
        'line-color': ['case', isSelected, colors.selected, teal],
        'line-width': ['case', isRaised, 5, 2],
      },
    },
    {
      id: 'geo-point',
      type: 'circle',
      ...from,
      filter: isVisible('point', hidden),
      paint: {
        'circle-color': teal,
        'circle-radius': ['case', isRaised, 8, 5],
        'circle-stroke-color': ['case', isSelected, colors.selected, colors.halo],
        'circle-stroke-width': ['case', isSelected, 3, 1.5],
      },
    },
  ]
}

/** Unsaved shapes, above the stored ones. */
function draftLayers({ scheme, selected }: GeographyShapes): LayerSpecification[] {
  const { amber, red } = tokens[scheme]
  const color: ExpressionSpecification = ['match', ['get', 'kind'], 'deleted', red, amber]
  const isSelectedDraft: ExpressionSpecification = ['==', ['get', 'shape_uuid'], selected ?? '']
  const from = { source: 'geo-draft' } as const
  return [
    {
      id: 'geo-draft-fill',
      type: 'fill',
      ...from,
      filter: isGeometryKind('area'),
      paint: {
        'fill-color': color,
        'fill-opacity': ['case', ['==', ['get', 'kind'], 'deleted'], 0.08, isSelectedDraft, 0.35, 0.2],
      },
    },
    {
      id: 'geo-draft-outline',
      type: 'line',
      ...from,
      filter: ['all', isGeometryKind('area'), ['!=', ['get', 'kind'], 'deleted']] as FilterSpecification,
      layout: { 'line-join': 'round' },
      paint: { 'line-color': color, 'line-width': ['case', isSelectedDraft, 3, 2] },
    },
    {
      id: 'geo-draft-gone',
      type: 'line',
      ...from,
      filter: ['==', ['get', 'kind'], 'deleted'],
      paint: { 'line-color': red, 'line-width': 1.5, 'line-dasharray': [3, 2] },
    },
    {
      id: 'geo-draft-line',
      type: 'line',
      ...from,
      filter: ['all', isGeometryKind('line'), ['!=', ['get', 'kind'], 'deleted']] as FilterSpecification,
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': color, 'line-width': ['case', isSelectedDraft, 6, 4] },
    },
    {
      id: 'geo-draft-point',
      type: 'circle',
      ...from,
      filter: isGeometryKind('point'),
      paint: {
        'circle-color': color,
        'circle-radius': ['case', isSelectedDraft, 9, 7],
        'circle-stroke-color': dataColors[scheme].halo,
        'circle-stroke-width': 2,
        'circle-opacity': ['case', ['==', ['get', 'kind'], 'deleted'], 0.3, 1],
      },
    },
  ]
}

/** Returns the versions of a shape in a conflict. */
function comparedLayers({ scheme, compared: outlines }: GeographyShapes): LayerSpecification[] {
  return (['base', 'theirs', 'mine'] as const)
    .filter((role) => outlines.some((outline) => outline.role === role))
    .flatMap((role): LayerSpecification[] => {
      const { color, dash } = getComparedStyle(scheme, role)
      const from = { source: 'geo-compared' } as const
      return [
        {
          id: `geo-${role}-fill`,
          type: 'fill',
          ...from,
          filter: ['all', ['==', ['get', 'role'], role], isGeometryKind('area')] as FilterSpecification,
          paint: { 'fill-color': color, 'fill-opacity': 0.12 },
        },
        {
          id: `geo-${role}`,
          type: 'line',
          ...from,
          filter: [
            'all',
            ['==', ['get', 'role'], role],
            ['!', isGeometryKind('point')],
          ] as FilterSpecification,
          layout: { 'line-join': 'round' },
          paint: { 'line-color': color, 'line-width': 3, ...(dash[1] > 0 ? { 'line-dasharray': dash } : {}) },
        },
        {
          id: `geo-${role}-point`,
          type: 'circle',
          ...from,
          filter: ['all', ['==', ['get', 'role'], role], isGeometryKind('point')] as FilterSpecification,
          paint: {
            'circle-color': color,
            'circle-radius': 7,
            'circle-stroke-color': dataColors[scheme].halo,
            'circle-stroke-width': 2,
          },
        },
      ]
    })
}

const problemLayers = ({ scheme, problems }: GeographyShapes): LayerSpecification[] =>
  problems.length === 0
    ? []
    : [
        {
          id: 'geo-wrong',
          type: 'circle',
          source: 'geo-wrong',
          paint: {
            'circle-radius': 10,
            'circle-color': tokens[scheme].red,
            'circle-opacity': 0.25,
            'circle-stroke-color': tokens[scheme].red,
            'circle-stroke-width': 3,
          },
        },
      ]

/** Names from tiles, for many shapes. Tiles repeat a name, so: only from close up, with padding. */
function tileNameLayer({ key, scheme, hidden }: GeographyShapes): LayerSpecification {
  const colors = basemapPalette[scheme]
  return {
    id: 'geo-name',
    type: 'symbol',
    source: key,
    'source-layer': 'shapes',
    minzoom: 13,
    filter: ['!', ['in', ['get', 'shape_uuid'], ['literal', [...hidden]]]] as FilterSpecification,
    layout: {
      'text-field': ['get', 'name'],
      'text-font': fontStack.medium,
      'text-size': byZoom([13, 10], [16, 13]),
      'text-max-width': 7,
      'text-padding': 24,
    },
    paint: { 'text-color': colors.text, 'text-halo-color': colors.textHalo, 'text-halo-width': 1.6 },
  }
}
