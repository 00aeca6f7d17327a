import { expect, it } from 'vitest'
import type { Area, Position } from '#contract/place.ts'
import {
  boxOfShapes,
  hasCubes,
  type KeyedShape,
  shapeListId,
  uniqueByKey,
  everywhereKey,
  outsideKey,
  shapeKey,
} from './layer-shapes.ts'

const ring: Position[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
]
const area: Area = { type: 'Polygon', coordinates: [ring] }
const shape = (number: number, key: string, box: KeyedShape['box'] = [0, 0, 1, 1]): KeyedShape => ({
  shapeId: `s${number}`,
  number,
  key,
  box,
})

it('a key is that of the geometry, in one form or the other', () => {
  expect(shapeKey(area)).toBe(shapeKey({ type: 'MultiPolygon', coordinates: [[ring]] }))
  expect(shapeKey(area)).not.toBe(
    shapeKey({ type: 'Polygon', coordinates: [ring.map(([x, y]): Position => [x, y + 1e-9])] }),
  )
  expect(shapeKey(area)).toMatch(/^[1-9]\d{0,19}$/)
})

it('keys of shapes of one size are next to each other', () => {
  const square = (side: number, at: number): string =>
    shapeKey({
      type: 'Polygon',
      coordinates: [
        [
          [at, 0],
          [at + side, 0],
          [at + side, side],
          [at, side],
          [at, 0],
        ],
      ],
    })
  const keys = [0.01, 0.01, 0.01, 0.001, 0.001, 0.001].map((side, at) => BigInt(square(side, at)))
  const small = keys.slice(3)
  expect(keys.slice(0, 3).every((key) => small.every((each) => each < key))).toBe(true)
  expect(new Set(keys).size).toBe(6)
})

it.each([
  [{ level: 'l1', layer_name: 'Wards', layer_slug: 'wards' }, true],
  [{ level: null, layer_name: 'Wards', layer_slug: 'wards' }, true],
  [{ level: 'basemap:water', layer_name: 'Water', layer_slug: 'water' }, false],
  [{ level: 'blockface', layer_name: 'Kerbs', layer_slug: 'kerbs' }, false],
  [{ level: null, layer_name: 'Parking districts', layer_slug: 'parking_districts' }, false],
])('a layer %o has cubes: %s', (layer, has) => expect(hasCubes(layer)).toBe(has))

it('represents shapes of one geometry by the first', () => {
  expect(uniqueByKey([shape(1, '7'), shape(2, '8'), shape(3, '7')]).map(({ number }) => number)).toEqual([
    1, 2,
  ])
})

it('a list is identified by its content', () => {
  const id = shapeListId([shape(1, '7'), shape(2, '8')])
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(shapeListId([shape(1, '7'), shape(2, '8')])).toBe(id)
  expect(shapeListId([shape(1, '7'), shape(3, '8')])).not.toBe(id)
})

it('a box contains all of the shapes, and is null if one of them may be anywhere', () => {
  const two = [shape(1, '7', [0, 2, 1, 3]), shape(2, '8', [-1, 2.5, 0.5, 4])]
  expect(boxOfShapes(two)).toEqual([-1, 2, 1, 4])
  expect(boxOfShapes([...two, shape(0, '9', null)])).toBeNull()
})

it('the outside of shapes is the same for the same shapes, in any order', () => {
  expect(outsideKey(['8', '7', '8'])).toBe(outsideKey(['7', '8']))
  expect(new Set([outsideKey(['7', '8']), outsideKey(['78']), outsideKey(['7']), everywhereKey]).size).toBe(4)
})
