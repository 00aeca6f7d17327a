import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import { dataColors, type Scheme } from '#web/kit/theme.ts'
import { maxTileZoom } from '../rendering/basemap-style.ts'
import { byZoom } from '../rendering/style-expressions.ts'
import { fontStack } from '../rendering/fonts.ts'
import type { MapLayer, ShapeState } from '../map-layer.ts'

/** Bins of a segment: of the requested value, and of each direction; -1 without trips. */
export interface RouteBins {
  bin: number
  forward: number
  backward: number
}

/** Input of the map of volumes along streets. */
export interface RouteLines {
  /** Name of the source; changes with the tiles. */
  key: string
  /** URL template of the segment tiles; the id of a segment is `shape_uuid`. */
  tiles: string
  binById: ReadonlyMap<string, RouteBins>
  /** By bin, from few to many trips. */
  colors: readonly string[]
  scheme: Scheme
  /** Whether directions are drawn apart at high zoom; not if only their sum is known or one was requested. */
  hasDirections: boolean
}

/** Directions are drawn side by side from this zoom on. */
const directionsMinZoom = 14.5
/** Lines are drawn in several passes, so that busy streets are above quiet ones. */
const drawPasses = 3
/** Width of the highest bin relative to the lowest. */
const maxWidthFactor = 3.2

type WidthStops = [zoom: number, value: number][]
/** Width of the lowest bin in pixels, by zoom. */
const widthStops: WidthStops = [
  [9, 0.8],
  [12, 1.5],
  [14, 2.2],
  [16, 4],
  [18, 7],
]

const binState = (name: keyof RouteBins): ExpressionSpecification =>
  ['coalesce', ['feature-state', name], -1] as ExpressionSpecification
const isSelected: ExpressionSpecification = ['boolean', ['feature-state', 'selected'], false]
const isRaised: ExpressionSpecification = ['any', ['boolean', ['feature-state', 'hover'], false], isSelected]

/** Street volumes as a layer: the more trips, the darker and wider. Feature states: no tile reloads. */
export function routeVolumesLayer({
  key,
  tiles,
  binById,
  colors,
  scheme,
  hasDirections,
}: RouteLines): MapLayer {
  const lines: RouteStyle = { source: key, colors, scheme, hasDirections }
  return {
    sources: { [key]: { type: 'vector', tiles: [tiles], maxzoom: maxTileZoom, promoteId: 'shape_uuid' } },
    drawings: [
      ...outlineLayers(lines),
      ...volumeLayers(lines),
      ...(hasDirections
        ? [
            directionLayer(lines, 'forward'),
            directionLayer(lines, 'backward'),
            directionArrowLayer(lines, 'forward'),
            directionArrowLayer(lines, 'backward'),
          ]
        : []),
    ],
    labels: [],
    pointerTarget: {
      source: key,
      sourceLayer: 'shapes',
      idProperty: 'shape_uuid',
      drawings: ['route-touch'],
    },
    states: new Map(
      [...binById].map(([id, { bin, forward, backward }]): [string, ShapeState] => [
        id,
        { bin, forward, backward },
      ]),
    ),
  }
}

interface RouteStyle extends Pick<RouteLines, 'colors' | 'scheme' | 'hasDirections'> {
  source: string
}

const segmentSource = ({ source }: RouteStyle) => ({ source, 'source-layer': 'shapes' }) as const
const roundLayout = { 'line-cap': 'round', 'line-join': 'round' } as const
/** Single lines end where directions are drawn separately. */
const zoomLimit = ({ hasDirections }: RouteStyle) => (hasDirections ? { maxzoom: directionsMinZoom } : {})

const binColor = ({ colors, scheme }: RouteStyle, name: keyof RouteBins): ExpressionSpecification =>
  (colors.length === 0
    ? dataColors[scheme].noData
    : [
        'match',
        binState(name),
        ...colors.flatMap((color, index) => [index, color]),
        dataColors[scheme].noData,
      ]) as ExpressionSpecification

/** Width relative to the lowest bin. */
const widthFactor = ({ colors }: RouteStyle, name: keyof RouteBins): ExpressionSpecification => [
  '+',
  1,
  ['*', maxWidthFactor - 1, ['/', ['max', 0, binState(name)], Math.max(1, colors.length - 1)]],
]

const lineWidth = (style: RouteStyle, name: keyof RouteBins, extra = 0): ExpressionSpecification =>
  [
    'interpolate',
    ['exponential', 1.5],
    ['zoom'],
    ...widthStops.flatMap(([zoom, value]) => [
      zoom,
      ['+', extra, ['*', value, widthFactor(style, name), ['case', isRaised, 1.25, 1]]],
    ]),
  ] as unknown as ExpressionSpecification

const opacityIfKnown = (name: keyof RouteBins): ExpressionSpecification => [
  'case',
  ['>=', binState(name), 0],
  1,
  0,
]

/** What lies below the lines: a target for the pointer, the ring of the selected segment, and a casing. */
const outlineLayers = (style: RouteStyle): LayerSpecification[] => [
  {
    ...segmentSource(style),
    // Wide and nearly invisible, so that the pointer finds thin lines.
    id: 'route-touch',
    type: 'line',
    layout: roundLayout,
    paint: {
      'line-color': dataColors[style.scheme].halo,
      'line-width': byZoom([9, 6], [14, 14], [18, 34]),
      'line-opacity': 0.01,
    },
  },
  {
    ...segmentSource(style),
    id: 'route-ring',
    type: 'line',
    layout: roundLayout,
    paint: {
      'line-color': dataColors[style.scheme].selected,
      'line-width': byZoom([9, 5], [14, 13], [16, 24], [18, 40]),
      'line-opacity': ['case', isSelected, 0.9, isRaised, 0.3, 0],
    },
  },
  {
    ...segmentSource(style),
    id: 'route-casing',
    type: 'line',
    minzoom: 13,
    layout: roundLayout,
    ...zoomLimit(style),
    paint: {
      'line-color': dataColors[style.scheme].halo,
      'line-width': lineWidth(style, 'bin', 1.6),
      'line-opacity': ['*', 0.8, opacityIfKnown('bin')],
    },
  },
]

/** Returns the lines of all bins, in several passes. */
function volumeLayers(style: RouteStyle): LayerSpecification[] {
  const passIndex: ExpressionSpecification = [
    'floor',
    ['/', ['*', binState('bin'), drawPasses], Math.max(1, style.colors.length)],
  ]
  return Array.from({ length: drawPasses }, (_, pass): LayerSpecification => ({
    ...segmentSource(style),
    id: `route-line-${pass}`,
    type: 'line',
    layout: roundLayout,
    ...zoomLimit(style),
    paint: {
      'line-color': binColor(style, 'bin'),
      'line-width': lineWidth(style, 'bin'),
      'line-opacity': ['case', ['==', passIndex, pass], 1, 0],
    },
  }))
}

type Direction = 'forward' | 'backward'

/** Forward trips are drawn on the right side of a segment. */
const getSide = (direction: Direction): 1 | -1 => (direction === 'forward' ? 1 : -1)

function directionLayer(style: RouteStyle, name: Direction): LayerSpecification {
  const side = getSide(name)
  return {
    ...segmentSource(style),
    id: `route-${name}`,
    type: 'line',
    minzoom: directionsMinZoom,
    layout: { 'line-cap': 'butt', 'line-join': 'round' },
    paint: {
      'line-color': binColor(style, name),
      'line-width': lineWidth(style, name),
      'line-opacity': opacityIfKnown(name),
      'line-offset': byZoom([14, side * 3], [16, side * 6], [18, side * 11]),
    },
  }
}

function directionArrowLayer(style: RouteStyle, name: Direction): LayerSpecification {
  const side = getSide(name)
  return {
    ...segmentSource(style),
    id: `route-${name}-arrow`,
    type: 'symbol',
    minzoom: 15.5,
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': 90,
      'text-field': side === 1 ? '>' : '<',
      'text-font': fontStack.regular,
      'text-size': byZoom([15, 13], [18, 20]),
      'text-keep-upright': false,
      'text-offset': [0, side * 0.5],
      'text-allow-overlap': true,
      'text-ignore-placement': true,
    },
    paint: {
      'text-color': dataColors[style.scheme].selected,
      'text-halo-color': dataColors[style.scheme].halo,
      'text-halo-width': 1.2,
      'text-opacity': opacityIfKnown(name),
    },
  }
}
