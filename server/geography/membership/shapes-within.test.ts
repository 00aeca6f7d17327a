import { describe, expect, it } from 'vitest'
import type { Geometry, Position } from '#contract/place.ts'
import { createOverlapTest } from './shapes-within.ts'

const square = (west: number, south: number, size: number): Geometry => {
  const [east, north] = [west + size, south + size]
  return {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  }
}
const makeLine = (...coordinates: Position[]): Geometry => ({ type: 'LineString', coordinates })
const point = (...coordinates: Position): Geometry => ({ type: 'Point', coordinates })

describe('createOverlapTest', () => {
  const overlaps = createOverlapTest(square(0, 0, 10))
  it.each<[string, Geometry]>([
    ['inside', square(2, 2, 1)],
    ['equal to it', square(0, 0, 10)],
    ['across its border', square(9, 9, 5)],
    ['around it', square(-5, -5, 30)],
    ['that is a line through it without a vertex inside', makeLine([-1, 5], [11, 5])],
    ['that is a point inside', point(5, 5)],
  ])('accepts a shape %s', (_name, shape) => expect(overlaps(shape)).toBe(true))

  it.each<[string, Geometry]>([
    ['beside it', square(20, 0, 5)],
    ['touching its border', square(10, 0, 10)],
    ['touching a corner', square(10, 10, 1)],
    ['that is a line along its border', makeLine([0, 0], [10, 0])],
    ['that is a point on its border', point(10, 5)],
  ])('rejects a shape %s', (_name, shape) => expect(overlaps(shape)).toBe(false))

  it('accepts shapes that overlap any part of the boundary', () => {
    const parts = createOverlapTest({
      type: 'MultiPolygon',
      coordinates: [square(0, 0, 1), square(5, 5, 1)].flatMap((part) =>
        part.type === 'Polygon' ? [part.coordinates] : [],
      ),
    })
    expect([parts(point(5.5, 5.5)), parts(point(3, 3))]).toEqual([true, false])
  })
})
