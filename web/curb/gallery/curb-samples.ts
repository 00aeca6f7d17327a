import type { MapLayer } from '#web/map/map-layer.ts'
import { dataColors, fillOpacity, type Scheme, tokens } from '#web/kit/theme.ts'
import type { ShapeBin } from '#web/map/layers/shape-values.ts'

type Source = MapLayer['sources'][string]

/** Blocks along each side of the made-up city, which gives 20,448 curb segments. */
const blocks = 71
const blockDegrees = 0.0016
const origin = { lon: -83.06, lat: 39.9 }

interface Feature {
  type: 'Feature'
  geometry: { type: string; coordinates: unknown }
  properties: Record<string, string | number>
}

const toPosition = (column: number, row: number): [number, number] => [
  origin.lon + column * blockDegrees,
  origin.lat + row * blockDegrees,
]

/** Creates the curb segments on both sides of a block. */
function createBlock(name: string, from: [number, number], to: [number, number]): Feature[] {
  const toSideFeature = (id: string, side: number): Feature => ({
    type: 'Feature',
    geometry: { type: 'LineString', coordinates: [from, to] },
    properties: { curb_id: id, side },
  })
  return [toSideFeature(`${name}:right`, 1), toSideFeature(`${name}:left`, -1)]
}

function createCityFeatures(): Feature[] {
  const features: Feature[] = []
  for (let row = 0; row <= blocks; row++)
    for (let column = 0; column < blocks; column++) {
      features.push(
        ...createBlock(`east:${row}:${column}`, toPosition(column, row), toPosition(column + 1, row)),
        ...createBlock(`north:${row}:${column}`, toPosition(row, column), toPosition(row, column + 1)),
      )
      if ((row + column) % 4 === 0)
        features.push({
          type: 'Feature',
          geometry: { type: 'Point', coordinates: toPosition(column + 0.5, row + 0.12) },
          properties: { curb_id: `meter:${row}:${column}`, side: 1 },
        })
    }
  return features
}

export const curbSamples = createCityFeatures()
export const curbIds = curbSamples.map(({ properties }) => String(properties['curb_id']))
export const cityCenter = { lon: toPosition(blocks / 2, 0)[0], lat: toPosition(0, blocks / 2)[1], zoom: 14 }

export const curbSource = {
  type: 'geojson',
  promoteId: 'curb_id',
  data: { type: 'FeatureCollection', features: curbSamples },
} as unknown as Source

/** Returns a class for each segment; it changes with every step. */
export const curbBins = (step: number): ReadonlyMap<string, ShapeBin> =>
  new Map(curbIds.map((id, index): [string, ShapeBin] => [id, (index * 7 + step) % 5]))

/** Districts below the curbs, with a different id property. */
export function districtsLayer(scheme: Scheme): MapLayer {
  const size = blocks / 3
  const features = Array.from({ length: 9 }, (_, index) => {
    const column = (index % 3) * size
    const row = Math.floor(index / 3) * size
    const corners = [
      [column, row],
      [column + size, row],
      [column + size, row + size],
      [column, row + size],
      [column, row],
    ] as const
    return {
      type: 'Feature',
      geometry: { type: 'Polygon', coordinates: [corners.map(([x, y]) => toPosition(x, y))] },
      properties: { district_id: `district:${index}` },
    }
  })
  const isRaised = [
    'any',
    ['boolean', ['feature-state', 'hover'], false],
    ['boolean', ['feature-state', 'selected'], false],
  ]
  return {
    sources: {
      districts: {
        type: 'geojson',
        promoteId: 'district_id',
        data: { type: 'FeatureCollection', features },
      } as unknown as Source,
    },
    areas: [
      {
        id: 'district-fill',
        type: 'fill',
        source: 'districts',
        paint: {
          'fill-color': tokens[scheme].teal,
          'fill-opacity': ['case', isRaised, fillOpacity.raised, fillOpacity.default] as never,
        },
      },
    ],
    drawings: [
      {
        id: 'district-line',
        type: 'line',
        source: 'districts',
        paint: { 'line-color': dataColors[scheme].outline, 'line-width': 1 },
      },
    ],
    labels: [],
    pointerTarget: {
      source: 'districts',
      sourceLayer: null,
      idProperty: 'district_id',
      drawings: ['district-fill'],
    },
    states: new Map(),
  }
}
