import type { Position } from 'geojson'
import { expect, test } from 'vitest'
import { computeArea } from './repair-area.ts'
import { getRingArea } from './ring-area.ts'
import { makeSquare, positions } from '../../../../test/positions.ts'

test('The area of a ring agrees with the area of the ellipsoid', () => {
  const world: Position[] = positions('-180 -90, 180 -90, 180 90, -180 90, -180 -90')
  // WGS 84: 510,065,621,724,089 m² (NGA, from a and f).
  expect(getRingArea(world) / 510_065_621_724_089).toBeCloseTo(1, 9)
})

test.each([0, 45, -33, 60])(
  'The area of a ring agrees with radii of curvature for a small square at %i degrees',
  (latitude) => {
    const size = 0.001
    const a = 6378137
    const e2 = 0.00669437999014
    const middle = ((latitude + size / 2) * Math.PI) / 180
    const w = 1 - e2 * Math.sin(middle) ** 2
    const side = (size * Math.PI) / 180
    const expected = side ** 2 * ((a * (1 - e2)) / w ** 1.5) * ((a / Math.sqrt(w)) * Math.cos(middle))
    expect(getRingArea(makeSquare(-122, latitude, size)) / expected).toBeCloseTo(1, 7)
    expect(getRingArea(makeSquare(-122, latitude, size).toReversed()) / expected).toBeCloseTo(-1, 7)
  },
)

test('The area of a polygon excludes holes, independent of ring order', () => {
  expect(
    computeArea([[makeSquare(0, 0, 3), makeSquare(1, 1, 1)]]) / getRingArea(makeSquare(0, 0, 1)),
  ).toBeCloseTo(8, 2)
})

test('The area of a parking space is measured', () => {
  expect(
    getRingArea(makeSquare(-122.6, 45.5, 0.00003)) / getRingArea(makeSquare(-122.6, 45.5, 0.003)),
  ).toBeCloseTo(1e-4, 7)
})
