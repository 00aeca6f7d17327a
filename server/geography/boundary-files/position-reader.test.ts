import { expect, test } from 'vitest'
import { limits } from './limits.ts'
import { PositionReader } from './position-reader.ts'

test('PositionReader rejects files of more than five million vertices', () => {
  const reader = new PositionReader()
  const position = [1, 2]
  for (let count = 0; count < limits.positions; count += 1) reader.read(position)
  expect(() => reader.read(position)).toThrow('more than 5,000,000 vertices')
})

test('PositionReader projects positions, and refuses those outside of the projection', () => {
  const reader = new PositionReader()
  reader.project = (x, y) => (x > 100 ? [NaN, NaN] : [x / 2, y / 2])
  expect(reader.read([10, 20, 5])).toEqual([5, 10])
  expect(reader.hasDroppedHeights).toBe(true)
  expect(() => reader.read([101, 0])).toThrow('lie outside the projection')
  expect(() => reader.read([0, 300])).toThrow('has a latitude of 150')
})
