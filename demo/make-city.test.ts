import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { covers, polygonsOf } from './city-check/covers.ts'
import { layerNamed } from './city-check/layer-named.ts'
import { ringCrossings } from './city-check/ring-crossings.ts'
import { makeCity } from './make-city.ts'
import type { CityFeature } from './city.ts'
import { type Point, ringArea } from './plane/point.ts'

const city = makeCity(1)
const neighbourhoods = layerNamed(city, 'Neighbourhoods')
const districts = layerNamed(city, 'Districts')
const blocks = layerNamed(city, 'Blocks')
const streets = layerNamed(city, 'Streets')
const land = layerNamed(city, 'Land').filter(({ properties }) => properties.kind === 'city')

describe('the same seed', () => {
  it('makes the same city', () => {
    const again = makeCity(1)
    expect(again.streets).toEqual(city.streets)
    expect(
      again.layers.filter(
        ({ name, features }) => JSON.stringify(features) !== JSON.stringify(layerNamed(city, name)),
      ),
    ).toEqual([])
  })

  it('and another one another city of the same plan', () => {
    const other = makeCity(20_260)
    expect(layerNamed(other, 'Blocks')[0]).not.toEqual(blocks[0])
    expect(layerNamed(other, 'Neighbourhoods').length).toBeGreaterThan(55)
    expect(layerNamed(other, 'Blocks').length).toBeGreaterThan(2000)
    expect(ringCrossings(layerNamed(other, 'Blocks').flatMap((block) => polygonsOf(block).flat()))).toBe(0)
  })
})

describe('the layers', () => {
  it('have as many shapes as a city of that size', () => {
    expect(neighbourhoods.length).toBeGreaterThanOrEqual(56)
    expect(neighbourhoods.length).toBeLessThanOrEqual(64)
    expect(districts.length).toBeGreaterThanOrEqual(7)
    expect(districts.length).toBeLessThanOrEqual(9)
    expect(blocks.length).toBeGreaterThan(2000)
    expect(blocks.length).toBeLessThanOrEqual(3500)
  })

  it('have the levels that maps ask for', () => {
    expect(city.layers.filter(({ level }) => level === 'l1').map(({ name }) => name)).toEqual([
      'Neighbourhoods',
    ])
    const levels = city.layers.map(({ level }) => level)
    for (const level of ['basemap:water', 'basemap:park', 'basemap:street', 'basemap:land'])
      expect(levels).toContain(level)
  })

  it.each([
    ['Neighbourhoods', neighbourhoods],
    ['Districts', districts],
    ['Blocks', blocks],
  ])('%s have names of their own', (_, features) => {
    expect(new Set(features.map(({ properties }) => properties.name)).size).toBe(features.length)
  })

  it('give every street a name and a class', () => {
    for (const { properties, geometry } of streets) {
      expect(properties.name).not.toBe('')
      expect(['freeway', 'arterial', 'collector', 'local']).toContain(properties.class)
      expect(geometry.coordinates.length).toBeGreaterThan(1)
    }
    expect(new Set(streets.map(({ properties }) => properties.class)).size).toBe(4)
  })
})

describe('rings', () => {
  const areas = city.layers
    .filter(({ level }) => level !== 'basemap:street')
    .flatMap(({ features }) => features)
  const rings = areas.flatMap((feature) => polygonsOf(feature))

  it('are closed, have 6 decimals, and run counter-clockwise outside and clockwise inside', () => {
    for (const polygon of rings) {
      polygon.forEach((ring, i) => {
        expect(ring.length).toBeGreaterThan(3)
        expect(ring[0]).toEqual(ring.at(-1))
        expect(Math.sign(ringArea(ring as unknown as Point[]))).toBe(i === 0 ? 1 : -1)
      })
    }
    const numbers = rings.flat(3)
    expect(numbers.every((degrees) => Math.round(degrees * 1e6) / 1e6 === degrees)).toBe(true)
  })

  it('visit no vertex twice', () => {
    for (const ring of rings.flat()) expect(new Set(ring.map(String)).size).toBe(ring.length - 1)
  })

  it.each(['Neighbourhoods', 'Districts', 'Blocks', 'Water', 'Parks', 'Land'])(
    'of %s cross neither themselves nor each other',
    (name) => {
      expect(ringCrossings(layerNamed(city, name).flatMap((feature) => polygonsOf(feature).flat()))).toBe(0)
    },
  )
})

describe.each([
  ['neighbourhoods', neighbourhoods],
  ['districts', districts],
  ['blocks', blocks],
])('%s tessellate the land', (_, features) => {
  it('their areas add up to its area', () => {
    expect(sum(features.map(size)) / size(land[0]!)).toBeCloseTo(1, 9)
  })

  it('every border is shared vertex by vertex with one neighbour, or is the edge of the land', () => {
    const borders = edgesOf(features)
    const outline = new Set(edgesOf(land))
    expect(new Set(borders).size).toBe(borders.length)
    const all = new Set(borders)
    const alone = borders.filter((edge) => !all.has(edge.split('|').reverse().join('|')))
    expect(alone.filter((edge) => !outline.has(edge))).toEqual([])
    expect(alone.length).toBe(outline.size)
  })
})

describe('a place', () => {
  const place = fc.tuple(
    fc.double({ min: -75.3, max: -75.09, noNaN: true }),
    fc.double({ min: 36.99, max: 37.11, noNaN: true }),
  )

  it('on land is in exactly one neighbourhood, one district and one block; elsewhere in none', () => {
    fc.assert(
      fc.property(place, ([lon, lat]) => {
        const expected = land.some((feature) => covers(feature, lon, lat)) ? 1 : 0
        for (const layer of [neighbourhoods, districts, blocks]) {
          expect(layer.filter((feature) => covers(feature, lon, lat)).length).toBe(expected)
        }
      }),
      { numRuns: 250 },
    )
  })

  it('is land or water, never both', () => {
    const [allLand, water] = [layerNamed(city, 'Land'), layerNamed(city, 'Water')]
    fc.assert(
      fc.property(place, ([lon, lat]) => {
        expect([...allLand, ...water].filter((feature) => covers(feature, lon, lat)).length).toBe(1)
      }),
      { numRuns: 250 },
    )
  })
})

describe('the street graph', () => {
  it('hangs together', () => {
    const { edges, nodeX } = city.streets
    const neighbours: number[][] = Array.from(nodeX, () => [])
    for (const { from, to } of edges) {
      neighbours[from]!.push(to)
      neighbours[to]!.push(from)
    }
    const seen = new Set([0])
    for (const node of seen) for (const next of neighbours[node]!) seen.add(next)
    expect(seen.size).toBe(nodeX.length)
  })

  it('has edges as long as their paths, from node to node', () => {
    const { edges, nodeX, nodeY } = city.streets
    const wrong = edges.filter(({ path, length, from, to }) => {
      let walked = 0
      for (let i = 2; i < path.length; i += 2)
        walked += Math.hypot(path[i]! - path[i - 2]!, path[i + 1]! - path[i - 1]!)
      const joined =
        path[0] === nodeX[from] &&
        path[1] === nodeY[from] &&
        path.at(-2) === nodeX[to] &&
        path.at(-1) === nodeY[to]
      return !joined || Math.abs(walked - length) > 1e-6
    })
    expect(wrong).toEqual([])
  })

  it('has bridges: the districts on both banks are within reach of one another', () => {
    expect(new Set(city.streets.edges.map(({ district }) => district))).toEqual(
      new Set([undefined, ...districts.map(({ properties }) => properties.name)]),
    )
  })
})

function size(feature: CityFeature): number {
  return sum(
    polygonsOf(feature)
      .flat()
      .map((ring) => ringArea(ring.map(([lon, lat]) => [lon! + 75.2, lat! - 37.05] as const))),
  )
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function edgesOf(features: readonly CityFeature[]): string[] {
  return features.flatMap((feature) =>
    polygonsOf(feature)
      .flat()
      .flatMap((ring) => ring.slice(1).map((b, i) => `${ring[i]}|${b}`)),
  )
}
