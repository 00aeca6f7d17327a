import { describe, expect, it } from 'vitest'
import type { Geometry, Position } from '#contract/place.ts'
import { compareShapeLists } from './copy-days.ts'
import { findListsToDrop } from './route-intersections.ts'
import { splitIntoPortions } from './portions.ts'
import { growAreas, getBoxOfArea, buildShapeList } from './shape-list.ts'

const box = (west: number): Geometry => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, 0],
      [west + 1, 0],
      [west + 1, 1],
      [west, 1],
      [west, 0],
    ],
  ],
})
const shapes = [box(0), box(1), { type: 'Point', coordinates: [5, 5] as Position } as Geometry].map(
  (geometry, index) => ({ shapeId: `s${index}`, geometry }),
)

describe('a list of shapes', () => {
  it('is the same for the same geometries, order, layer and buffer', async () => {
    const { listId } = await buildShapeList('l', 0, shapes)
    expect(listId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(
      (
        await buildShapeList(
          'l',
          0,
          shapes.map((shape) => ({ ...shape, shapeId: 'other' })),
        )
      ).listId,
    ).toBe(listId)
    for (const other of await Promise.all([
      buildShapeList('m', 0, shapes),
      buildShapeList('l', 1, shapes),
      buildShapeList('l', 0, shapes.toReversed()),
      buildShapeList('l', 0, shapes.slice(1)),
    ]))
      expect(other.listId).not.toBe(listId)
  })

  it('contains areas, and points only with a buffer', async () => {
    expect((await growAreas(await buildShapeList('l', 0, shapes))).map(({ number }) => number)).toEqual([
      1, 2,
    ])
    const grown = await growAreas(await buildShapeList('l', 1000, shapes))
    expect(grown.map(({ number }) => number)).toEqual([1, 2, 3])
    const [west, south, east, north] = getBoxOfArea(grown[2]!)
    expect([west, south, east, north].map((degrees) => Math.abs(degrees - 5) * 111)).toEqual(
      [1, 1, 1, 1].map((km) => expect.closeTo(km, 1) as number),
    )
    expect(
      (await growAreas(await buildShapeList('l', 0, shapes), new Set([2]))).map(({ number }) => number),
    ).toEqual([2])
  })

  it('is compared with an older list by unchanged, deleted and new shapes', () => {
    expect(compareShapeLists(['a', 'b', 'c'], ['c', 'd', 'a'])).toEqual({
      numbers: [3, 0, 1],
      added: new Set([2]),
    })
    expect(compareShapeLists([], ['a'])).toEqual({ numbers: [], added: new Set([1]) })
    expect(compareShapeLists(['a', 'a'], ['a'])).toBeNull()
    expect(compareShapeLists(['a'], ['b', 'b'])).toBeNull()
  })
})

describe('findListsToDrop', () => {
  const made = (list_id: string, layer_id: string, buffer = 0) => ({ list_id, layer_id, buffer })
  it('retains the current and previous version of a layer, and no deleted layer', () => {
    expect(
      findListsToDrop(
        [made('1', 'a'), made('2', 'a', 5), made('3', 'a'), made('4', 'b'), made('5', 'a')],
        new Set(['a']),
      ),
    ).toEqual(['4', '5'])
  })
  it('drops the oldest lists if there are too many', () => {
    expect(
      findListsToDrop(
        ['1', '2', '3', '4'].map((id) => made(id, 'a', Number(id))),
        new Set(['a']),
        3,
      ),
    ).toEqual(['4'])
  })
})

describe('splitIntoPortions', () => {
  const day = (name: string, routeCount: number) => ({
    day: name,
    route_count: String(routeCount),
    version: '1',
    version_rows: '1',
    since: '0',
  })
  it('groups days in order up to a number of routes and splits a day with more into parts', () => {
    expect(
      splitIntoPortions([day('a', 4), day('b', 6), day('c', 1), day('d', 25), day('e', 1)], 10).map(
        ({ days, parts }) => [days.map((day) => day.day).join(''), parts],
      ),
    ).toEqual([
      ['ab', 1],
      ['c', 1],
      ['d', 3],
      ['e', 1],
    ])
    expect(splitIntoPortions([])).toEqual([])
  })
})
