import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Area, Position } from '#contract/place.ts'
import { createBorderTest, findCellsNearBorder } from './border.ts'

const makeBox = (west: number, south: number, size: number): Position[] => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
]
const makeArea = (...rings: Position[][]): Area => ({ type: 'Polygon', coordinates: rings })
const makeShape = (name: string, ...areas: Area[]) => ({ shapeId: null, name, areas })
const meters = (Math.PI / 180) * 6_371_008.8

/** Reference implementation: measures the distance to every edge on a plane around the place. */
function plainNear(rings: readonly Position[][], lon: number, lat: number, reach: number): boolean {
  const perLon = meters * Math.cos((lat * Math.PI) / 180)
  return rings.some((ring) =>
    ring.slice(1).some(([bx, by], index) => {
      const [ax, ay] = ring[index] as Position
      const [x0, y0, x1, y1] = [
        (ax - lon) * perLon,
        (ay - lat) * meters,
        (bx - lon) * perLon,
        (by - lat) * meters,
      ]
      const long = (x1 - x0) ** 2 + (y1 - y0) ** 2
      const t = long === 0 ? 0 : Math.max(0, Math.min(1, -(x0 * (x1 - x0) + y0 * (y1 - y0)) / long))
      return Math.hypot(x0 + t * (x1 - x0), y0 + t * (y1 - y0)) < reach
    }),
  )
}

test('isNear finds the same places as measuring every edge, including holes and long edges', () => {
  const rings = [makeBox(-75, 40, 0.3), makeBox(-74.9, 40.1, 0.01), makeBox(-74.8, 40.2, 0.001)]
  const isNearBorder = createBorderTest({ places: 'each', shapes: [makeShape('one', makeArea(...rings))] })
  fc.assert(
    fc.property(
      fc.double({ min: -75.01, max: -74.69, noNaN: true }),
      fc.double({ min: 39.99, max: 40.31, noNaN: true }),
      fc.double({ min: 0.1, max: 4000, noNaN: true }),
      (lon, lat, reach) => {
        expect(isNearBorder(1, lon, lat, reach)).toBe(plainNear(rings, lon, lat, reach))
      },
    ),
    { numRuns: 300 },
  )
})

test('A union has no border between neighbors, but separate shapes have one', () => {
  const shapes = [
    makeShape('west', makeArea(makeBox(0, 0, 0.1))),
    makeShape('east', makeArea(makeBox(0.1, 0, 0.1))),
  ]
  expect(createBorderTest({ places: 'each', shapes })(1, 0.0999, 0.05, 50)).toBe(true)
  const region = createBorderTest({
    places: 'union',
    shapes: [{ shapeId: null, name: 'all', areas: shapes.flatMap(({ areas }) => areas) }],
  })
  expect(region(0, 0.0999, 0.05, 50)).toBe(false)
  expect(region(0, 0.0001, 0.05, 50)).toBe(true)
})

describe('cells near the border', () => {
  const shapes = [
    makeShape('one', makeArea(makeBox(-75, 40, 0.3), makeBox(-74.9, 40.1, 0.01))),
    makeShape('far', makeArea(makeBox(-74.2, 41, 0.0001))),
  ]

  it('cells near the border contain every place near an edge, and few others', () => {
    const isNearBorder = createBorderTest({ places: 'each', shapes })
    const cellsNearBorder = findCellsNearBorder({ shapes })
    if (!cellsNearBorder) throw new Error('no cells')
    const cells = new Set(cellsNearBorder.cells)
    const isIn = (lon: number, lat: number): boolean =>
      cells.has(
        Math.floor((lat - cellsNearBorder.south) / cellsNearBorder.size) * cellsNearBorder.columns +
          Math.floor((lon - cellsNearBorder.west) / cellsNearBorder.size),
      )
    const anyNumberNear = (corners: readonly number[]): fc.Arbitrary<number> =>
      fc.oneof(
        ...corners.map((corner) => fc.double({ min: corner - 0.001, max: corner + 0.001, noNaN: true })),
        fc.double({ min: Math.min(...corners), max: Math.max(...corners), noNaN: true }),
      )
    fc.assert(
      fc.property(
        anyNumberNear([-75, -74.9, -74.89, -74.7, -74.2]),
        anyNumberNear([40, 40.1, 40.11, 40.3, 41]),
        (lon, lat) => {
          const isNear = isNearBorder(1, lon, lat, 30) || isNearBorder(2, lon, lat, 30)
          expect(isIn(lon, lat) || !isNear).toBe(true)
        },
      ),
      { numRuns: 2000 },
    )
    expect(isIn(-74.85, 40.15)).toBe(false)
    expect(cellsNearBorder.cells.length).toBeLessThanOrEqual(10_000)
  })

  it('makes no cells for too many edges, near a pole, or without shapes', () => {
    expect(findCellsNearBorder({ shapes: [] })).toBeNull()
    expect(findCellsNearBorder({ shapes: [makeShape('pole', makeArea(makeBox(0, 86, 0.1)))] })).toBeNull()
    const round = Array.from({ length: 100_002 }, (_, index): Position => [Math.cos(index), Math.sin(index)])
    expect(findCellsNearBorder({ shapes: [makeShape('fine', makeArea(round))] })).toBeNull()
  })

  it('makes larger cells for a long border', () => {
    const cells = findCellsNearBorder({ shapes: [makeShape('country', makeArea(makeBox(-75, 30, 2)))] })
    expect(cells?.cells.length).toBeLessThanOrEqual(10_000)
    expect(cells?.size).toBeGreaterThan(0.001)
  })
})
