import type { MapLayer } from '#web/map/map-layer.ts'
import { dataColors, fillOpacity, type Scheme, tokens } from '#web/kit/theme.ts'
import type { ShapeBin } from '#web/map/layers/shape-values.ts'

type Source = MapLayer['sources'][string]

/** 2 directions × 72 streets × 71 blocks × 2 sides = 20,448 curb segments, and a meter in every fourth cell. */
const blocksPerSide = 71
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

/** Creates the curb segments on both sides of a block. `side`: 1 right, -1 left of the line's direction. */
function createBlockSides(name: string, from: [number, number], to: [number, number]): Feature[] {
  const toSideFeature = (id: string, side: number): Feature => ({
    type: 'Feature',
    geometry: { type: 'LineString', coordinates: [from, to] },
    properties: { curb_id: id, side },
  })
  return [toSideFeature(`${name}:right`, 1), toSideFeature(`${name}:left`, -1)]
}

function createCityFeatures(): Feature[] {
  const features: Feature[] = []
  for (let row = 0; row <= blocksPerSide; row++)
    for (let column = 0; column < blocksPerSide; column++) {
      features.push(
        ...createBlockSides(`east:${row}:${column}`, toPosition(column, row), toPosition(column + 1, row)),
        // The same blocks mirrored along the diagonal.
        ...createBlockSides(`north:${row}:${column}`, toPosition(row, column), toPosition(row, column + 1)),
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

export const curbFeatures = createCityFeatures()
export const curbIds = curbFeatures.map(({ properties }) => String(properties['curb_id']))
export const cityCenter = {
  lon: toPosition(blocksPerSide / 2, 0)[0],
  lat: toPosition(0, blocksPerSide / 2)[1],
  zoom: 14,
}

export const curbSource = {
  type: 'geojson',
  promoteId: 'curb_id',
  data: { type: 'FeatureCollection', features: curbFeatures },
} as unknown as Source

/** Returns a bin for each segment and meter; bins change with every step. */
export const curbBins = (step: number): ReadonlyMap<string, ShapeBin> =>
  new Map(curbIds.map((id, index): [string, ShapeBin] => [id, (index * 7 + step) % 5]))

/** Returns districts below the curbs, with another id property than theirs. */
export function districtsLayer(scheme: Scheme): MapLayer {
  const size = blocksPerSide / 3
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
