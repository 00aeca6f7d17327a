import { expect, test } from 'vitest'
import type { Area, Position } from '#contract/place.ts'
import {
  computeShapesBox,
  hasCubes,
  type KeyedShape,
  hashShapeList,
  removeDuplicateKeys,
  everywhereKey,
  makeOutsideKey,
  makeShapeKey,
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

test('makeShapeKey gives equal geometries equal keys, as a Polygon or MultiPolygon', () => {
  expect(makeShapeKey(area)).toBe(makeShapeKey({ type: 'MultiPolygon', coordinates: [[ring]] }))
  expect(makeShapeKey(area)).not.toBe(
    makeShapeKey({ type: 'Polygon', coordinates: [ring.map(([x, y]): Position => [x, y + 1e-9])] }),
  )
  expect(makeShapeKey(area)).toMatch(/^[1-9]\d{0,19}$/)
})

test('makeShapeKey gives shapes of the same size adjacent keys', () => {
  const square = (side: number, west: number): string =>
    makeShapeKey({
      type: 'Polygon',
      coordinates: [
        [
          [west, 0],
          [west + side, 0],
          [west + side, side],
          [west, side],
          [west, 0],
        ],
      ],
    })
  const keys = [0.01, 0.01, 0.01, 0.001, 0.001, 0.001].map((side, west) => BigInt(square(side, west)))
  const small = keys.slice(3)
  expect(keys.slice(0, 3).every((key) => small.every((areaKey) => areaKey < key))).toBe(true)
  expect(new Set(keys).size).toBe(6)
})

test.each([
  [{ level: 'l1', layer_name: 'Wards', layer_slug: 'wards' }, true],
  [{ level: null, layer_name: 'Wards', layer_slug: 'wards' }, true],
  [{ level: 'basemap:water', layer_name: 'Water', layer_slug: 'water' }, false],
  [{ level: 'blockface', layer_name: 'Kerbs', layer_slug: 'kerbs' }, false],
  [{ level: null, layer_name: 'Parking districts', layer_slug: 'parking_districts' }, false],
])('Layer %o has cubes: %s', (layer, expected) => expect(hasCubes(layer)).toBe(expected))

test('removeDuplicateKeys represents shapes with equal geometries by the first one', () => {
  expect(
    removeDuplicateKeys([shape(1, '7'), shape(2, '8'), shape(3, '7')]).map(({ number }) => number),
  ).toEqual([1, 2])
})

test('hashShapeList identifies a list by its content', () => {
  const id = hashShapeList([shape(1, '7'), shape(2, '8')])
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(hashShapeList([shape(1, '7'), shape(2, '8')])).toBe(id)
  expect(hashShapeList([shape(1, '7'), shape(3, '8')])).not.toBe(id)
})

test('computeShapesBox returns a box of all shapes, or null if one of them has no box', () => {
  const two = [shape(1, '7', [0, 2, 1, 3]), shape(2, '8', [-1, 2.5, 0.5, 4])]
  expect(computeShapesBox(two)).toEqual([-1, 2, 1, 4])
  expect(computeShapesBox([...two, shape(0, '9', null)])).toBeNull()
})

test('A layer has one key for the outside of the same shapes in any order', () => {
  expect(makeOutsideKey(['8', '7', '8'])).toBe(makeOutsideKey(['7', '8']))
  expect(
    new Set([makeOutsideKey(['7', '8']), makeOutsideKey(['78']), makeOutsideKey(['7']), everywhereKey]).size,
  ).toBe(4)
})
