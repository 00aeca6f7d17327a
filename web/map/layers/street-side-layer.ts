import type { ExpressionSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl'
import { dataColors, type Scheme } from '#web/kit/theme.ts'
import { byZoom } from '../rendering/style-expressions.ts'
import type { MapLayer, PointerTarget } from '../map-layer.ts'
import type { ShapeBin } from './shape-values.ts'
import { noDataState, shapeStates, zeroState } from './shape-states.ts'

/** Input of a map of lines beside streets, such as curb segments, and of points beside them. */
export interface StreetSides {
  /** Name of the source. Tiles with other data need another name; GeoJSON is replaced under the same one. */
  key: string
  /** Vector tiles or GeoJSON of lines and points; `promoteId` must be `idProperty`. */
  source: SourceSpecification
  sourceLayer: string | null
  idProperty: string
  /** Property with the side as seen along the line: 1 is right, -1 is left. */
  sideProperty: string
  binById: ReadonlyMap<string, ShapeBin>
  /** Indexed by bin. */
  colors: readonly string[]
  scheme: Scheme
}

const bin: ExpressionSpecification = ['coalesce', ['feature-state', 'bin'], noDataState]
const isSelected: ExpressionSpecification = ['boolean', ['feature-state', 'selected'], false]
const isRaised: ExpressionSpecification = ['any', ['boolean', ['feature-state', 'hover'], false], isSelected]

/** Distance from the center of the street, in pixels by zoom; about half the width of a drawn street. */
const offsets: [zoom: number, pixels: number][] = [
  [13, 1.5],
  [16, 7],
  [18, 16],
  [20, 40],
]
const widths: [zoom: number, pixels: number][] = [
  [13, 1.5],
  [16, 4],
  [18, 7],
]

/**
 * Lines beside their streets and points as one layer. Bins, hover and selection are feature states: changing
 * them neither loads data nor lays anything out again, so that tens of thousands of segments render smoothly.
 */
export function streetSideLayer(sides: StreetSides): MapLayer {
  const { key, sourceLayer, idProperty, sideProperty, colors, scheme } = sides
  const palette = dataColors[scheme]
  const layerSource = { source: key, ...(sourceLayer === null ? {} : { 'source-layer': sourceLayer }) }
  const color = [
    'match',
    bin,
    ...(colors.length > 0 ? colors : [palette.noData]).flatMap((binColor, index) => [index, binColor]),
    zeroState,
    palette.halo,
    palette.noData,
  ] as unknown as ExpressionSpecification
  const lineOffset = sideOffset(sideProperty)
  const createLine = (id: string, paint: object): LayerSpecification => ({
    id: `${key}:${id}`,
    type: 'line',
    ...layerSource,
    filter: ['==', ['geometry-type'], 'LineString'],
    minzoom: 12,
    paint: { 'line-offset': lineOffset, ...paint },
  })
  const drawings: LayerSpecification[] = [
    createLine('casing', {
      'line-color': ['case', isSelected, palette.selected, palette.halo],
      'line-width': byZoom(...widths.map(([zoom, width]): [number, number] => [zoom, width + 4])),
      // Not zero, so that the pointer also hits next to the thin line.
      'line-opacity': ['case', isRaised, 1, 0.01],
    }),
    createLine('line', { 'line-color': color, 'line-width': byZoom(...widths) }),
    {
      id: `${key}:point`,
      type: 'circle',
      ...layerSource,
      filter: ['==', ['geometry-type'], 'Point'],
      minzoom: 14,
      paint: {
        'circle-color': color,
        'circle-radius': byZoom([14, 2.5], [18, 7]),
        'circle-stroke-color': ['case', isRaised, palette.selected, palette.halo],
        'circle-stroke-width': ['case', isRaised, 2.5, 1],
      },
    },
  ]
  const target: PointerTarget = {
    source: key,
    sourceLayer,
    idProperty,
    drawings: [`${key}:casing`, `${key}:point`],
  }
  return {
    sources: { [key]: sides.source },
    drawings,
    labels: [],
    pointerTarget: target,
    states: shapeStates(sides.binById),
  }
}

/** Offset of each feature to its side of the street, interpolated by zoom. */
const sideOffset = (sideProperty: string): ExpressionSpecification =>
  [
    'interpolate',
    ['linear'],
    ['zoom'],
    ...offsets.flatMap(([zoom, pixels]): (number | ExpressionSpecification)[] => [
      zoom,
      ['*', pixels, ['to-number', ['get', sideProperty], 0]],
    ]),
  ] as unknown as ExpressionSpecification
