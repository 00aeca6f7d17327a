import type { Position } from 'geojson'
import { describe, expect, it } from 'vitest'
import { isValidArea } from './is-valid-area.ts'
import { makeSquare, positions } from '../../../../test/positions.ts'

/** Returns enough parts for the faster algorithm. */
const manyParts = (): Position[][][] =>
  Array.from({ length: 60 }, (_, index) => [makeSquare(10 * (index % 8), 10 * Math.floor(index / 8), 5)])

describe('isValidArea', () => {
  it('accepts valid areas, with few parts or many', () => {
    expect(isValidArea([[makeSquare(0, 0, 4), makeSquare(1, 1, 1)]])).toBe(true)
    expect(isValidArea([[makeSquare(0, 0, 1)], [makeSquare(1, 1, 1)]])).toBe(true)
    expect(isValidArea(manyParts())).toBe(true)
    expect(
      isValidArea([
        ...manyParts(),
        [makeSquare(100, 100, 20), makeSquare(105, 105, 10)],
        [makeSquare(107, 107, 5)],
      ]),
    ).toBe(true)
  })

  it('rejects a part in a part, an overlap, a shared border, a bow tie', () => {
    const bowTie: Position[] = positions('0 0, 2 2, 2 0, 0 2, 0 0')
    for (const invalidPart of [
      [makeSquare(1, 1, 1)],
      [makeSquare(3, 3, 4)],
      [makeSquare(5, 0, 2)],
      [bowTie.map(([x = 0, y = 0]): Position => [x + 200, y])],
      [makeSquare(200, 0, 4), makeSquare(203, 1, 2)],
    ]) {
      expect(isValidArea([[makeSquare(0, 0, 5)], invalidPart])).toBe(false)
      expect(isValidArea([...manyParts(), invalidPart])).toBe(false)
      expect(isValidArea([invalidPart, ...manyParts()])).toBe(false)
    }
  })

  it('rejects a part around others, and an empty area', () => {
    expect(isValidArea([...manyParts(), [makeSquare(-100, -100, 300)]])).toBe(false)
    expect(isValidArea([])).toBe(false)
  })
})
