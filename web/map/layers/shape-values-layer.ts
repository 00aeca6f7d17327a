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

/** One value per shape as a layer. Feature states and paint properties change without reloading tiles. */
export function shapeValuesLayer(values: ShapeValues): MapLayer {
  const { geometry } = values
  const hasGeometry = (kind: ShapeValues['geometry']): boolean => geometry === kind || geometry === 'mixed'
  const fills = hasGeometry('area') ? areaLayers(values) : []
  const drawings = [
    ...(hasGeometry('area') ? areaMarkLayers(values) : []),
    ...(hasGeometry('line') ? lineLayers(values) : []),
    ...(hasGeometry('point') ? pointLayers(values) : []),
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
        .map((drawing) => drawing.id)
        .filter((id) => ['value-fill', 'value-line-halo', 'value-point'].includes(id)),
    },
    states: shapeStates(values.binById),
  }
}

const getShapeSource = ({ key }: ShapeValues) => ({ source: key, 'source-layer': 'shapes' }) as const

/** Returns the color of the bin of a shape. */
function valueColor({ colors, scheme }: ShapeValues): ExpressionSpecification {
  const palette = dataColors[scheme]
  return [
    'match',
    bin,
    ...colors.flatMap((color, index) => [index, color]),
    zero,
    palette.halo,
    palette.noData,
  ] as unknown as ExpressionSpecification
}

/** Areas filled with the color of their value, or hatched without data. */
function areaLayers(values: ShapeValues): LayerSpecification[] {
  const sortLayout = values.stack ? { 'fill-sort-key': stackSortKey(values.stack) } : {}
  return [
    {
      id: 'value-fill',
      type: 'fill',
      ...getShapeSource(values),
      filter: isGeometryType('Polygon'),
      layout: sortLayout,
      paint: {
        'fill-color': valueColor(values),
        'fill-antialias': false,
        'fill-opacity': ['case', ['>=', bin, zero], valueOpacity, 0],
      },
    },
    {
      id: 'value-hatch',
      type: 'fill',
      ...getShapeSource(values),
      filter: isGeometryType('Polygon'),
      paint: {
        'fill-pattern': hatchName(values.scheme),
        'fill-opacity': ['case', ['==', bin, none], 0.8, 0],
      },
    },
    {
      id: 'value-outline',
      type: 'line',
      ...getShapeSource(values),
      filter: isGeometryType('Polygon'),
      paint: {
        'line-color': dataColors[values.scheme].outline,
        'line-opacity': 0.55,
        'line-width': byZoom([9, 0.5], [13, 1], [17, 2]),
      },
    },
  ]
}

/** Returns the rings of selected and hovered areas. */
function areaMarkLayers(values: ShapeValues): LayerSpecification[] {
  return [
    {
      id: 'value-halo',
      type: 'line',
      ...getShapeSource(values),
      filter: isGeometryType('Polygon'),
      layout: { 'line-join': 'round' },
      paint: {
        'line-color': dataColors[values.scheme].halo,
        'line-width': ['case', isSelected, 6, 4],
        'line-opacity': ['case', isRaised, 0.9, 0],
      },
    },
    {
      id: 'value-ring',
      type: 'line',
      ...getShapeSource(values),
      filter: isGeometryType('Polygon'),
      layout: { 'line-join': 'round' },
      paint: {
        'line-color': dataColors[values.scheme].selected,
        'line-width': ['case', isSelected, 3, 2],
        'line-opacity': ['case', isRaised, 1, 0],
      },
    },
  ]
}

/** Lines in the colors of their bins. */
function lineLayers(values: ShapeValues): LayerSpecification[] {
  const common = {
    type: 'line',
    ...getShapeSource(values),
    filter: isGeometryType('LineString'),
    layout: { 'line-cap': 'round', 'line-join': 'round' },
  } as const
  return [
    {
      ...common,
      id: 'value-line-halo',
      paint: {
        'line-color': [
          'case',
          isSelected,
          dataColors[values.scheme].selected,
          dataColors[values.scheme].halo,
        ],
        'line-width': ['case', isRaised, 10, 5.5],
        'line-opacity': 0.85,
      },
    },
    {
      ...common,
      id: 'value-line',
      paint: {
        'line-color': valueColor(values),
        'line-width': ['case', isRaised, 6, 3.5],
        'line-opacity': ['case', ['==', bin, pendingState], 0.4, 1],
      },
    },
  ]
}

function pointLayers(values: ShapeValues): LayerSpecification[] {
  return [
    {
      id: 'value-point',
      type: 'circle',
      ...getShapeSource(values),
      filter: isGeometryType('Point'),
      paint: {
        'circle-color': valueColor(values),
        'circle-radius': ['case', isRaised, 9, 6],
        'circle-opacity': 0.9,
        'circle-stroke-color': [
          'case',
          isSelected,
          dataColors[values.scheme].selected,
          dataColors[values.scheme].outline,
        ],
        'circle-stroke-width': ['case', isRaised, 2.5, 1],
      },
    },
  ]
}
