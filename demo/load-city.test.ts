import { readdirSync, statSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { computeArea } from '#server/geography/geometry/repair/repair-area.ts'
import { isValidArea } from '#server/geography/geometry/repair/is-valid-area.ts'
import { getRingArea } from '#server/geography/geometry/repair/ring-area.ts'
import { findLayer } from '../test/demo/layer-named.ts'
import type { CityFeature } from './city.ts'
import { loadCity, loadStreets } from './load-city.ts'

const city = loadCity()

const getPolygons = ({ geometry }: CityFeature): number[][][][] => {
  if (geometry.type === 'LineString') throw new Error('a line is not an area')
  return geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
}
const sumAreas = (features: readonly CityFeature[]): number =>
  features.reduce((sum, feature) => sum + computeArea(getPolygons(feature)), 0)

test('The streets are those of the city', () => {
  expect(loadStreets()).toEqual({ streets: city.streets, timezone: city.timezone })
})

test('The city consists of a header, one file per layer, and the street graph', () => {
  expect(readdirSync(new URL('./city/', import.meta.url)).toSorted()).toEqual(
    [
      'README.md',
      'city.json',
      'street-graph.json.gz',
      ...city.layers.map(({ name }) => `${name.toLowerCase()}.geojson.gz`),
    ].toSorted(),
  )
  const { layers, streets, ...header } = city
  expect(header).toEqual({
    name: 'Port Meridian',
    timezone: 'America/New_York',
    lon: -75.2,
    lat: 37.05,
    mapZoom: 12,
  })
  expect([streets.lon0, streets.lat0]).toEqual([city.lon, city.lat])
  expect(layers.map(({ name, level, features }) => [name, level, features.length])).toEqual([
    ['Neighborhoods', 'l1', 62],
    ['Districts', '', 8],
    ['Blocks', '', 3462],
    ['Water', 'basemap:water', 7],
    ['Parks', 'basemap:park', 113],
    ['Land', 'basemap:land', 2],
    ['Streets', 'basemap:street', 1124],
  ])
})

test('The files are small', () => {
  const folder = new URL('./city/', import.meta.url)
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(new URL(name, folder)).size, 0)
  expect(bytes).toBeLessThan(2_000_000)
})

test.each(['Neighborhoods', 'Districts', 'Blocks', 'Water', 'Land'])('%s have unique names', (name) => {
  const names = findLayer(city, name).map(({ properties }) => properties.name)
  expect(names).not.toContain('')
  expect(new Set(names).size).toBe(names.length)
})

test.each(city.layers.filter(({ name }) => name !== 'Streets').map(({ name }) => name))(
  '%s are valid areas: outer rings counter-clockwise, holes clockwise, 6 decimals',
  (name) => {
    for (const feature of findLayer(city, name)) {
      const polygons = getPolygons(feature)
      expect(isValidArea(polygons)).toBe(true)
      for (const rings of polygons)
        expect(rings.map((ring) => Math.sign(getRingArea(ring)))).toEqual(
          rings.map((_, i) => (i === 0 ? 1 : -1)),
        )
      const numbers = polygons.flat(3)
      expect(numbers.filter((degrees) => Math.round(degrees * 1e6) / 1e6 !== degrees)).toEqual([])
    }
  },
)

test.each(['Neighborhoods', 'Districts', 'Blocks'])('%s cover the land of the city', (name) => {
  const land = findLayer(city, 'Land').filter(({ properties }) => properties.kind === 'city')
  expect(sumAreas(findLayer(city, name)) / sumAreas(land)).toBeCloseTo(1, 6)
})

test('Streets are lines with a name and a class', () => {
  const streets = findLayer(city, 'Streets')
  for (const { geometry, properties } of streets) {
    expect(geometry.type).toBe('LineString')
    expect(properties.name).not.toBe('')
    expect(new Set(geometry.coordinates.map(String)).size).toBeGreaterThan(1)
  }
  expect(new Set(streets.map(({ properties }) => properties.class))).toEqual(
    new Set(['freeway', 'arterial', 'collector', 'local']),
  )
})

describe('the street graph', () => {
  const { edges, nodeX, nodeY } = city.streets

  it('the street graph has junctions, and edges that are as long as their paths', () => {
    expect([nodeX.length, nodeY.length, edges.length]).toEqual([4300, 4300, 7088])
    for (const { from, to, path, length } of edges) {
      expect([...path.slice(0, 2), ...path.slice(-2)]).toEqual([
        nodeX[from],
        nodeY[from],
        nodeX[to],
        nodeY[to],
      ])
      const straight = Math.hypot(nodeX[to]! - nodeX[from]!, nodeY[to]! - nodeY[from]!)
      expect(length).toBeGreaterThan(0)
      expect(length).toBeGreaterThan(straight - 1e-6)
    }
    const kilometers = edges.reduce((sum, { length }) => sum + length, 0) / 1000
    expect(kilometers).toBeCloseTo(1494.4, 1)
  })

  it('the street graph is connected', () => {
    const neighbors: number[][] = Array.from(nodeX, () => [])
    for (const { from, to } of edges) {
      neighbors[from]!.push(to)
      neighbors[to]!.push(from)
    }
    const seen = new Set([0])
    for (const node of seen) for (const next of neighbors[node]!) seen.add(next)
    expect(seen.size).toBe(nodeX.length)
  })

  it('covers every district, and has bridges outside of them', () => {
    expect(new Set(edges.map(({ district }) => district))).toEqual(
      new Set([undefined, ...findLayer(city, 'Districts').map(({ properties }) => properties.name)]),
    )
  })
})
