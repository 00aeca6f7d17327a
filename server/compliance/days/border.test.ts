import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Area, Position } from '#contract/place.ts'
import { borderOf } from './border.ts'

const box = (west: number, south: number, size: number): Position[] => [[west, south], [west + size, south], [west + size, south + size], [west, south + size], [west, south]]
const area = (...rings: Position[][]): Area => ({ type: 'Polygon', coordinates: rings })
const ground = (name: string, ...areas: Area[]) => ({ shapeId: null, name, areas })
const metres = (Math.PI / 180) * 6_371_008.8

/** Plain: the distance to every edge, flat about the place. */
function plainNear(rings: readonly Position[][], lon: number, lat: number, reach: number): boolean {
  const perLon = metres * Math.cos((lat * Math.PI) / 180)
  return rings.some((ring) =>
    ring.slice(1).some(([bx, by], at) => {
      const [ax, ay] = ring[at] as Position
      const [x0, y0, x1, y1] = [(ax - lon) * perLon, (ay - lat) * metres, (bx - lon) * perLon, (by - lat) * metres]
      const long = (x1 - x0) ** 2 + (y1 - y0) ** 2
      const t = long === 0 ? 0 : Math.max(0, Math.min(1, -(x0 * (x1 - x0) + y0 * (y1 - y0)) / long))
      return Math.hypot(x0 + t * (x1 - x0), y0 + t * (y1 - y0)) < reach
    }),
  )
}

it('finds the border where every edge is measured, holes and long edges too', () => {
  const rings = [box(-75, 40, 0.3), box(-74.9, 40.1, 0.01), box(-74.8, 40.2, 0.001)]
  const near = borderOf({ places: 'each', grounds: [ground('one', area(...rings))] })
  fc.assert(
    fc.property(fc.double({ min: -75.01, max: -74.69, noNaN: true }), fc.double({ min: 39.99, max: 40.31, noNaN: true }), fc.double({ min: 0.1, max: 4000, noNaN: true }), (lon, lat, reach) => {
      expect(near(1, lon, lat, reach)).toBe(plainNear(rings, lon, lat, reach))
    }),
    { numRuns: 300 },
  )
})

it('between neighbours of one region there is no border, of shapes each for itself there is', () => {
  const grounds = [ground('west', area(box(0, 0, 0.1))), ground('east', area(box(0.1, 0, 0.1)))]
  expect(borderOf({ places: 'each', grounds })(1, 0.0999, 0.05, 50)).toBe(true)
  const region = borderOf({ places: 'union', grounds: [{ shapeId: null, name: 'all', areas: grounds.flatMap(({ areas }) => areas) }] })
  expect(region(0, 0.0999, 0.05, 50)).toBe(false)
  expect(region(0, 0.0001, 0.05, 50)).toBe(true)
})
