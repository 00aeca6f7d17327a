import fc from 'fast-check'
import RelateOp from 'jsts/org/locationtech/jts/operation/relate/RelateOp.js'
import { describe, expect, it } from 'vitest'
import { type Area, getPolygons, type Position } from '#contract/place.ts'
import { growShape } from '#server/geography/geometry/grow-shape.ts'
import { isValidArea } from '#server/geography/geometry/repair/is-valid-area.ts'
import { toJts } from '#server/geography/geometry/repair/jts.ts'
import { doSegmentsIntersect, IntersectionIndex, findSide, buildFlatLists } from './intersection-index.ts'
import { positions } from '../../../test/positions.ts'

// Usually a coarse lattice, so that routes run along borders, end on them and pass through corners.
const onLattice = fc.integer({ min: -6, max: 6 }).map((n) => n / 10)
const coordinate = fc.oneof(
  { weight: 4, arbitrary: onLattice },
  { weight: 1, arbitrary: fc.integer({ min: -700_000, max: 700_000 }).map((n) => n / 1e6) },
)
const position = fc.tuple(coordinate, coordinate).map(([x, y]): Position => [x, y])
const box = (west: number, south: number, east: number, north: number): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]

/** A ring of corners around a center. */
const star = fc
  .tuple(onLattice, onLattice, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 3, maxLength: 8 }))
  .map(([x, y, reaches]): Position[] => {
    const ring = reaches.map((reach, i): Position => [
      Math.round((x + (reach / 10) * Math.cos((i / reaches.length) * 2 * Math.PI)) * 1e6) / 1e6,
      Math.round((y + (reach / 10) * Math.sin((i / reaches.length) * 2 * Math.PI)) * 1e6) / 1e6,
    ])
    return [...ring, ring[0] as Position]
  })
const withHole = fc
  .tuple(fc.integer({ min: -6, max: 2 }), fc.integer({ min: -6, max: 2 }), fc.boolean())
  .map(([x, y, isTouching]): Position[][] => [
    box(x / 10, y / 10, (x + 4) / 10, (y + 4) / 10),
    isTouching
      ? [
          [x / 10, (y + 2) / 10],
          [(x + 2) / 10, (y + 1) / 10],
          [(x + 2) / 10, (y + 3) / 10],
          [x / 10, (y + 2) / 10],
        ]
      : box((x + 1) / 10, (y + 1) / 10, (x + 3) / 10, (y + 2) / 10),
  ])
const separateParts = fc
  .tuple(fc.integer({ min: -6, max: 0 }), fc.integer({ min: -6, max: 4 }))
  .map(([x, y]): Position[][][] => [
    [box(x / 10, y / 10, (x + 2) / 10, (y + 1) / 10)],
    [box((x + 3) / 10, y / 10, (x + 5) / 10, (y + 2) / 10)],
    [box((x + 2) / 10, (y + 1) / 10, (x + 3) / 10, (y + 2) / 10)],
  ])
const anyArea: fc.Arbitrary<Area> = fc
  .oneof(
    star.map((ring): Position[][][] => [[ring]]),
    withHole.map((rings) => [rings]),
    separateParts,
  )
  .filter((polygons) => isValidArea(polygons))
  .map((coordinates) => ({ type: 'MultiPolygon', coordinates }))
const anyRoute = fc
  .array(position, { minLength: 1, maxLength: 7 })
  .map((route) => (route.length === 1 ? [route[0] as Position, route[0] as Position] : route))

const numberAreas = (areas: readonly Area[]) =>
  areas.map((area, i) => ({ number: i + 1, rings: getPolygons(area).flat() }))
/** Returns the result of jsts as a reference. It needs a point for a route with one position. */
function findIntersectedByJsts(areas: readonly Area[], route: readonly Position[]): number[] {
  const isPoint = route.every(([x, y]) => x === route[0]?.[0] && y === route[0]?.[1])
  const line = isPoint ? toJts.factory.createPoint(toJts.coordinates(route)[0]!) : toJts.line(route)
  return areas.flatMap((area, i) =>
    RelateOp.intersects(toJts.multiPolygon(getPolygons(area)), line) ? [i + 1] : [],
  )
}
const findIntersected = (index: IntersectionIndex, route: readonly Position[]): number[] =>
  index.findShapesIntersecting(
    route.map(([x]) => x),
    route.map(([, y]) => y),
  )
const runs = { numRuns: Number(process.env['TOUCH_RUNS'] ?? 30) }

describe('the shapes that a route intersects', () => {
  it('equal those of jsts, along borders, through corners, in holes and for multipolygons', () => {
    fc.assert(
      fc.property(
        fc.array(anyArea, { minLength: 1, maxLength: 5 }),
        fc.array(anyRoute, { minLength: 20, maxLength: 20 }),
        fc.constantFrom(1, 30, 3000),
        (areas, routes, cells) => {
          const index = new IntersectionIndex(numberAreas(areas), cells)
          for (const route of routes)
            expect({ route, intersected: findIntersected(index, route) }).toEqual({
              route,
              intersected: findIntersectedByJsts(areas, route),
            })
        },
      ),
      runs,
    )
  }, 600_000)

  it('equal those of jsts for buffered shapes', () => {
    fc.assert(
      fc.property(
        fc.array(anyArea, { minLength: 1, maxLength: 2 }),
        fc.array(anyRoute, { minLength: 10, maxLength: 10 }),
        fc.constantFrom(100, 5000),
        (areas, routes, buffer) => {
          const grown = areas.map((area) => growShape(area, buffer) as Area)
          const index = new IntersectionIndex(numberAreas(grown))
          for (const route of routes)
            expect({ route, intersected: findIntersected(index, route) }).toEqual({
              route,
              intersected: findIntersectedByJsts(grown, route),
            })
        },
      ),
      { numRuns: Math.ceil(runs.numRuns / 5) },
    )
  }, 600_000)

  const [left, right, ring] = [box(0, 0, 1, 1), box(1, 0, 2, 1), box(0.25, 0.25, 0.75, 0.75)]
  const index = new IntersectionIndex([
    { number: 1, rings: [left, ring] },
    { number: 2, rings: [right] },
    { number: 3, rings: [ring] },
  ])
  it.each<[string, Position[], number[]]>([
    ['inside', positions('1.2 0.5, 1.8 0.6'), [2]],
    ['in the hole of one, which another fills', positions('0.4 0.5, 0.6 0.5'), [3]],
    ['on the border of both', positions('1 0.2, 1 0.4'), [1, 2]],
    ['a corner only', positions('2 2, 2 1'), [2]],
    ['from one side to the other, without a place in between', positions('-1 0.1, 3 0.1'), [1, 2]],
    ['through all', positions('-1 0.5, 3 0.5'), [1, 2, 3]],
    ['nothing, beside them', positions('-1 1.1, 3 1.1'), []],
    ['nothing, far away', positions('50 50, 51 50'), []],
    ['one place, inside', [[0.1, 0.1]], [1]],
    ['one place twice, on a corner of both', positions('1 1, 1 1'), [1, 2]],
    ['one place, in the north-eastern corner of all', [[2, 1]], [2]],
    ['nothing, of no place', [], []],
  ])('%s', (_, route, wanted) => expect(findIntersected(index, route)).toEqual(wanted))

  it('are empty without shapes', () =>
    expect(new IntersectionIndex([]).findShapesIntersecting([0, 1], [0, 1])).toEqual([]))
})

describe('findSide', () => {
  it('is exact to the last bit', () => {
    expect(findSide(0.1, 0.1, 0.3, 0.3, 0.2, 0.2)).toBe(0)
    expect(findSide(0.1, 0.1, 0.3, 0.3, 0.2, 0.2 + 2 ** -55)).toBe(1)
    expect(findSide(0.1, 0.1, 0.3, 0.3, 0.2, 0.2 - 2 ** -55)).toBe(-1)
    expect(findSide(-122.5, 45.5, -122.25, 45.75, -122.4, 45.7)).toBe(1)
  })
})

describe('doSegmentsIntersect', () => {
  it('handles collinear segments and segments that are points', () => {
    expect(doSegmentsIntersect(0, 0, 1, 1, 1, 1, 2, 2)).toBe(true)
    expect(doSegmentsIntersect(0, 0, 1, 1, 1.5, 1.5, 2, 2)).toBe(false)
    expect(doSegmentsIntersect(0.5, 0.5, 0.5, 0.5, 0, 0, 1, 1)).toBe(true)
    expect(doSegmentsIntersect(0.5, 0.25, 0.5, 0.25, 0, 0, 1, 1)).toBe(false)
    expect(doSegmentsIntersect(1, 1, 1, 1, 1, 1, 1, 1)).toBe(true)
  })
})

it('buildFlatLists groups the items of each list in order and supports empty lists', () => {
  const { starts, items } = buildFlatLists(4, (add) => {
    for (const [index, list] of [2, 0, 2, 0].entries()) add(list, 5 + index)
  })
  const lists = [0, 1, 2, 3].map((list) => [...items.subarray(starts[list], starts[list + 1])])
  expect(lists).toEqual([[6, 8], [], [5, 7], []])
  expect([...buildFlatLists(0, () => {}).starts]).toEqual([0])
})
