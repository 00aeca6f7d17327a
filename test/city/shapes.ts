import type { Geometry, Position } from '#contract/place.ts'
import { createRandom } from './random.ts'
import { positions } from '../positions.ts'

export interface CityShape {
  name: string
  geometry: Geometry
}

/** The southwest corner of the city, and the size of a district in degrees (about 1.7 km). */
const [west, south, width, height] = [-72.56, 41.46, 0.02, 0.015] as const
const [columns, rows] = [6, 4] as const
/** The bounding box of all districts. */
export const cityBox: [number, number, number, number] = [
  west - width,
  south - height,
  west + width * (columns + 1),
  south + height * (rows + 1),
]

const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

/** Returns a corner or bend of a border, the same for both neighbors. `x` and `y` are in sixths of a district. */
function getBend(x: number, y: number): Position {
  const number = createRandom(x * 1009 + y * 9176 + 77)
  return [
    round(west + (x / 6 + (number() - 0.5) * 0.12) * width),
    round(south + (y / 6 + (number() - 0.5) * 0.12) * height),
  ]
}

function makeRing(column: number, row: number): Position[] {
  const [x, y] = [column * 6, row * 6]
  const side = [0, 1, 2, 3, 4, 5]
  const ring = [
    ...side.map((step) => getBend(x + step, y)),
    ...side.map((step) => getBend(x + 6, y + step)),
    ...side.map((step) => getBend(x + 6 - step, y + 6)),
    ...side.map((step) => getBend(x, y + 6 - step)),
  ]
  return [...ring, ring[0] as Position]
}

const makeBox = (w: number, s: number, e: number, n: number): Position[] => [
  [w, s],
  [e, s],
  [e, n],
  [w, n],
  [w, s],
]

function round24([lon, lat]: Position, degrees: number): Position[] {
  const ring = Array.from({ length: 24 }, (_, step): Position => [
    round(lon + (degrees / 0.75) * Math.cos((step * Math.PI) / 12)),
    round(lat + degrees * Math.sin((step * Math.PI) / 12)),
  ])
  return [...ring, ring[0] as Position]
}

const island: Position[] = makeBox(
  round(west + 2.35 * width),
  round(south + 1.35 * height),
  round(west + 2.65 * width),
  round(south + 1.65 * height),
)

/** A tessellation. Neighbors share their border, one district is in a hole of another, one has two parts. */
export const districts: readonly CityShape[] = Array.from(
  { length: columns * rows },
  (_, number): CityShape => {
    const [column, row] = [number % columns, Math.floor(number / columns)]
    const name = `Alder District ${String(number + 1).padStart(2, '0')}`
    const ring = makeRing(column, row)
    if (column === 2 && row === 1)
      return { name, geometry: { type: 'Polygon', coordinates: [ring, island.toReversed()] } }
    // The last district of the first row also includes the last one of the last row.
    if (column === 5 && row === 0)
      return { name, geometry: { type: 'MultiPolygon', coordinates: [[ring], [makeRing(5, 3)]] } }
    return { name, geometry: { type: 'Polygon', coordinates: [ring] } }
  },
)
  .filter((_, number) => number !== columns * rows - 1)
  .concat({ name: 'Alder Island', geometry: { type: 'Polygon', coordinates: [island] } })

const middle: Position = [west + 3 * width, south + 2 * height]

/** Overlapping areas: a box, circles within and across it, two equal areas, and one with two parts. */
export const zones: readonly CityShape[] = [
  {
    name: 'Alder West',
    geometry: { type: 'Polygon', coordinates: [makeBox(west, south, middle[0], round(south + 4 * height))] },
  },
  { name: 'Alder Centre', geometry: { type: 'Polygon', coordinates: [round24(middle, 0.014)] } },
  { name: 'Alder Core', geometry: { type: 'Polygon', coordinates: [round24(middle, 0.006)] } },
  { name: 'Alder Core, again', geometry: { type: 'Polygon', coordinates: [round24(middle, 0.006)] } },
  {
    name: 'Alder Harbours',
    geometry: {
      type: 'MultiPolygon',
      coordinates: [[round24([-72.53, 41.475], 0.008)], [round24([-72.46, 41.505], 0.008)]],
    },
  },
]

/** Lines, which contain points only if they have a buffer. */
export const lanes: readonly CityShape[] = [
  {
    name: 'Alder Lane',
    geometry: { type: 'LineString', coordinates: positions('-72.56 41.47, -72.5 41.49, -72.44 41.49') },
  },
  {
    name: 'Ash Lane',
    geometry: {
      type: 'MultiLineString',
      coordinates: [positions('-72.55 41.5, -72.52 41.51'), positions('-72.5 41.5, -72.46 41.47')],
    },
  },
]

/** The only layer of the other organization, at the same place, so that only the Scope separates the two. */
export const cedarWards: readonly CityShape[] = [
  { name: 'Cedar Ward', geometry: { type: 'Polygon', coordinates: [makeBox(-72.6, 41.4, -72.4, 41.6)] } },
]

export const makeGeoJson = (shapes: readonly CityShape[]): Uint8Array =>
  Buffer.from(
    JSON.stringify({
      type: 'FeatureCollection',
      features: shapes.map(({ name, geometry }) => ({ type: 'Feature', properties: { name }, geometry })),
    }),
  )
