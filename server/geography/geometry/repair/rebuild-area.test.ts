import type { Position } from 'geojson'
import { expect, test } from 'vitest'
import { findPointsInside } from './rebuild-area.ts'
import { positions } from '../../../../test/positions.ts'

const square: Position[] = positions('0 0, 4 0, 4 4, 0 4, 0 0')

test('findPointsInside returns the most central point first', () => {
  expect(findPointsInside([square])).toEqual([[2, 2]])
  const [first = []] = findPointsInside([square, positions('1 1, 3 1, 3 3, 1 3, 1 1').toReversed()])
  expect(
    first[0]! > 0 && first[0]! < 4 && (first[0]! < 1 || first[0]! > 3 || first[1]! < 1 || first[1]! > 3),
  ).toBe(true)
})

test('findPointsInside avoids vertices that differ by a rounding error', () => {
  const ring: Position[] = [
    [0, 0],
    [4, 0.1 + 0.2],
    [4, 4],
    [0, 0.3],
    [0, 0],
  ]
  const [[, y = 0] = []] = findPointsInside([ring])
  expect(y).toBeGreaterThan(1)
})

test('findPointsInside returns none for a flat ring', () => {
  expect(findPointsInside([positions('0 0, 1 0, 2 0, 0 0')])).toEqual([])
})
