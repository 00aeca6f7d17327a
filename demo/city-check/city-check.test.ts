import { describe, expect, it } from 'vitest'
import type { City, CityFeature } from '../city.ts'
import { smallCity } from '../small-city.ts'
import { covers, polygonsOf } from './covers.ts'
import { layerNamed } from './layer-named.ts'
import { ringCrossings } from './ring-crossings.ts'

const ring = (west: number, south: number, side: number): number[][] => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
]
const feature = (...polygons: number[][][][]): CityFeature => ({
  type: 'Feature',
  properties: { name: 'A' },
  geometry: { type: 'MultiPolygon', coordinates: polygons },
})

describe('what checks the city', () => {
  it('sees places in areas, out of their holes, in any of their parts', () => {
    const area = feature([ring(0, 0, 1), ring(0.4, 0.4, 0.2)], [ring(3, 3, 1)])
    expect(
      [
        [0.1, 0.1],
        [0.5, 0.5],
        [3.5, 3.5],
        [2, 2],
        [-0.1, 0.5],
      ].map(([lon, lat]) => covers(area, lon!, lat!)),
    ).toEqual([true, false, true, false, false])
  })

  it('counts edges that cross, once each, and not those that share an end', () => {
    expect(ringCrossings([ring(0, 0, 0.01)])).toBe(0)
    expect(ringCrossings([ring(0, 0, 0.01), ring(0.01, 0, 0.01)])).toBe(0)
    expect(ringCrossings([ring(0, 0, 0.01), ring(0.005, 0.005, 0.01)])).toBe(2)
    expect(
      ringCrossings([
        [
          [0, 0],
          [0.01, 0.01],
          [0.01, 0],
          [0, 0.01],
          [0, 0],
        ],
      ]),
    ).toBe(1)
  })

  it('finds layers by name and says which one is missing', () => {
    const city: City = smallCity()
    expect(layerNamed(city, 'Blocks').length).toBe(2)
    expect(() => layerNamed(city, 'Trams')).toThrow('no layer Trams')
  })

  it('takes polygons, single or many, and no lines', () => {
    const [block] = layerNamed(smallCity(), 'Blocks')
    expect(polygonsOf(block!).length).toBe(1)
    expect(polygonsOf(feature([ring(0, 0, 1)], [ring(3, 3, 1)])).length).toBe(2)
    expect(
      polygonsOf({
        type: 'Feature',
        properties: { name: 'A' },
        geometry: {
          type: 'LineString',
          coordinates: [
            [0, 0],
            [1, 1],
          ],
        },
      }),
    ).toEqual([])
  })
})
