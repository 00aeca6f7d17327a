import { expect, test } from 'vitest'
import { createMdsAreas, computeUnionArea } from './mds-areas.ts'
import { measureDistance } from '#server/geography/geometry/distance.ts'
import { positions } from '../../../test/positions.ts'

const place = (lon: number, lat: number) => ({ lon, lat })
const makeSquare = (west: number, south: number, size: number) => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
]

test('An MDS area includes corners and borders, excludes holes but not their borders', () => {
  const area = computeUnionArea([
    {
      type: 'MultiPolygon',
      coordinates: [[makeSquare(0, 0, 3), makeSquare(1, 1, 1)], [makeSquare(5, 0, 1)]],
    },
  ])
  const inside = [place(0, 0), place(3, 1.5), place(0.1, 0.1), place(1, 1.5), place(2, 2), place(5.5, 0.5)]
  const outside = [place(1.5, 1.5), place(4, 0.5), place(-1e-12, 1), place(3, 3 + 1e-12), place(100, 0)]
  expect(inside.map((at) => area.contains(at))).toEqual(inside.map(() => true))
  expect(outside.map((at) => area.contains(at))).toEqual(outside.map(() => false))
})

test('An MDS area intersects a slanting border by exact arithmetic', () => {
  const area = computeUnionArea([{ type: 'Polygon', coordinates: [positions('0 0, 3 1, 3 5, 0 0')] }])
  expect(
    [place(1.5, 0.5), place(1.5, 0.5 - 1e-15), place(0.75, 0.25)].map((at) => area.contains(at)),
  ).toEqual([true, false, true])
})

test('An MDS area includes lines, and 20 m around points, anywhere', () => {
  const line = computeUnionArea([
    { type: 'MultiLineString', coordinates: [positions('0 0, 2 2'), positions('5 5, 6 5')] },
  ])
  expect([place(1, 1), place(5.5, 5), place(1, 1.0001), place(3, 3)].map((at) => line.contains(at))).toEqual([
    true,
    true,
    false,
    false,
  ])
  for (const lat of [0, 45.5, -60.2, 89]) {
    const point = computeUnionArea([
      {
        type: 'MultiPoint',
        coordinates: [
          [10, lat],
          [20, lat],
        ],
      },
    ])
    const moveEast = (meters: number) =>
      20 +
      (meters / (111_319.49 * Math.cos((lat * Math.PI) / 180))) *
        Math.sqrt(1 - 0.00669438 * Math.sin((lat * Math.PI) / 180) ** 2)
    expect([19.99, 20.01].map((meters) => point.contains(place(moveEast(meters), lat)))).toEqual([
      true,
      false,
    ])
  }
})

test('Distances are measured on the ellipsoid, also across the date line', () => {
  expect(measureDistance(place(0, 0), place(0, 1 / 110.574))).toBeCloseTo(1000, 0)
  expect(measureDistance(place(-122.6, 45.5), place(-122.6, 45.509))).toBeCloseTo(1000.2, 0)
  expect(measureDistance(place(179.9999, 0), place(-179.9999, 0))).toBeCloseTo(22.26, 1)
})

test('MDS geographies in each format are parsed once, and those of a rule are merged', () => {
  const makePolygon = (west: number) => ({ type: 'Polygon', coordinates: [makeSquare(west, 0, 1)] })
  const areas = createMdsAreas([
    { geography_id: 'bare', name: '', geography_json: makePolygon(0) },
    {
      geography_id: 'feature',
      name: '',
      geography_json: { type: 'Feature', properties: null, geometry: makePolygon(2) },
    },
    {
      geography_id: 'collection',
      name: '',
      geography_json: {
        type: 'FeatureCollection',
        features: [
          { type: 'Feature', properties: {}, geometry: makePolygon(4) },
          { type: 'Feature', properties: {}, geometry: null },
          { type: 'Feature', properties: {}, geometry: makePolygon(4.5) },
        ],
      },
    },
  ])
  const all = areas(['bare', 'feature', 'collection'])
  expect([0.5, 1.5, 2.5, 3.5, 4.2, 4.75, 5.4].map((lon) => all.contains(place(lon, 0.5)))).toEqual([
    true,
    false,
    true,
    false,
    true,
    true,
    true,
  ])
  expect(areas(['feature']).contains(place(0.5, 0.5))).toBe(false)
  expect(() => areas(['bare', 'nowhere'])).toThrow('There is no geography nowhere.')
})
