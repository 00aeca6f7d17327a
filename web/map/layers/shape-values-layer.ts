import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl'
import { dataColors, valueOpacity } from '#web/kit/theme.ts'
import { maxTileZoom } from '../rendering/basemap-style.ts'
import { byZoom, stackSortKey } from '../rendering/style-expressions.ts'
import { hatchName } from './colors.ts'
import type { MapLayer } from '../map-layer.ts'
import { shapeLabels, shapeLabelSource } from './shape-label-layer.ts'
import { shapeStates, noDataState as none, zeroState as zero } from './shape-states.ts'
import type { ShapeValues } from './shape-values.ts'

/** State of a shape without a value yet: only its outline is drawn. */
const pendingState = -3

const bin: ExpressionSpecification = ['coalesce', ['feature-state', 'bin'], pendingState]
const isRaised: ExpressionSpecification = [
  'any',
  ['boolean', ['feature-state', 'hover'], false],
  ['boolean', ['feature-state', 'selected'], false],
]
const isSelected: ExpressionSpecification = ['boolean', ['feature-state', 'selected'], false]
const isGeometryType = (...types: string[]): FilterSpecification => [
  'match',
  ['geometry-type'],
  types,
  true,
  false,
]

/**
 * One value per shape as a map layer. Values are feature states and colors are paint properties, so that
 * changing them reloads no tiles.
 */
export function shapeValuesLayer(values: ShapeValues): MapLayer {
  const palette = dataColors[values.scheme]
  const shapes = { source: values.key, 'source-layer': 'shapes' } as const
  const color = [
    'match',
    bin,
    ...values.colors.flatMap((each, index) => [index, each]),
    zero,
    palette.halo,
    palette.noData,
  ] as unknown as ExpressionSpecification
  const sortLayout = values.stack ? { 'fill-sort-key': stackSortKey(values.stack) } : {}
  const areas = (): LayerSpecification[] => [
    {
      id: 'value-fill',
      type: 'fill',
      ...shapes,
      filter: isGeometryType('Polygon'),
      layout: sortLayout,
      paint: {
        'fill-color': color,
        'fill-antialias': false,
        'fill-opacity': ['case', ['>=', bin, zero], valueOpacity, 0],
      },
    },
    {
      id: 'value-hatch',
      type: 'fill',
      ...shapes,
      filter: isGeometryType('Polygon'),
      paint: {
        'fill-pattern': hatchName(values.scheme),
        'fill-opacity': ['case', ['==', bin, none], 0.8, 0],
      },
    },
    {
      id: 'value-outline',
      type: 'line',
      ...shapes,
      filter: isGeometryType('Polygon'),
      paint: {
        'line-color': palette.outline,
        'line-opacity': 0.55,
        'line-width': byZoom([9, 0.5], [13, 1], [17, 2]),
      },
    },
  ]
  const areaMarks = (): LayerSpecification[] => [
    {
      id: 'value-halo',
      type: 'line',
      ...shapes,
      filter: isGeometryType('Polygon'),
      layout: { 'line-join': 'round' },
      paint: {
        'line-color': palette.halo,
        'line-width': ['case', isSelected, 6, 4],
        'line-opacity': ['case', isRaised, 0.9, 0],
      },
    },
    {
      id: 'value-ring',
      type: 'line',
      ...shapes,
      filter: isGeometryType('Polygon'),
      layout: { 'line-join': 'round' },
      paint: {
        'line-color': palette.selected,
        'line-width': ['case', isSelected, 3, 2],
        'line-opacity': ['case', isRaised, 1, 0],
      },
    },
  ]
  const lines = (): LayerSpecification[] => {
    const common = {
      type: 'line',
      ...shapes,
      filter: isGeometryType('LineString'),
      layout: { 'line-cap': 'round', 'line-join': 'round' },
    } as const
    return [
      {
        ...common,
        id: 'value-line-halo',
        paint: {
          'line-color': ['case', isSelected, palette.selected, palette.halo],
          'line-width': ['case', isRaised, 10, 5.5],
          'line-opacity': 0.85,
        },
      },
      {
        ...common,
        id: 'value-line',
        paint: {
          'line-color': color,
          'line-width': ['case', isRaised, 6, 3.5],
          'line-opacity': ['case', ['==', bin, pendingState], 0.4, 1],
        },
      },
    ]
  }
  const points = (): LayerSpecification[] => [
    {
      id: 'value-point',
      type: 'circle',
      ...shapes,
      filter: isGeometryType('Point'),
      paint: {
        'circle-color': color,
        'circle-radius': ['case', isRaised, 9, 6],
        'circle-opacity': 0.9,
        'circle-stroke-color': ['case', isSelected, palette.selected, palette.outline],
        'circle-stroke-width': ['case', isRaised, 2.5, 1],
      },
    },
  ]
  const { geometry } = values
  const has = (kind: ShapeValues['geometry']): boolean => geometry === kind || geometry === 'mixed'
  const fills = has('area') ? areas() : []
  const drawings = [
    ...(has('area') ? areaMarks() : []),
    ...(has('line') ? lines() : []),
    ...(has('point') ? points() : []),
  ]
  return {
    sources: {
      [values.key]: { type: 'vector', tiles: [values.tiles], maxzoom: maxTileZoom, promoteId: 'shape_uuid' },
      ...shapeLabelSource(values.labels),
    },
    areas: fills,
    drawings,
    labels: shapeLabels(values.scheme),
    pointerTarget: {
      source: values.key,
      sourceLayer: 'shapes',
      idProperty: 'shape_uuid',
      drawings: [...fills, ...drawings]
        .map((each) => each.id)
        .filter((id) => ['value-fill', 'value-line-halo', 'value-point'].includes(id)),
    },
    states: shapeStates(values.classes),
  }
}
