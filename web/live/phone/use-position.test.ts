import { expect, it } from 'vitest'
import { goalOf } from './use-position.ts'

it('the map goes to the square in which the viewer is, and near if that is known well', () => {
  const {
    box: [west, south, east, north],
    least,
  } = goalOf({ lon: -79.9, lat: 60, accuracy: 111.195 })
  expect([north - 60, 60 - south].map((degrees) => degrees.toFixed(6))).toEqual(['0.001000', '0.001000'])
  // Degrees of longitude are half as long there.
  expect(((east - west) / (north - south)).toFixed(3)).toBe('2.000')
  expect([least, goalOf({ lon: 0, lat: 0, accuracy: 3000 }).least]).toEqual([16, 9])
  expect(goalOf({ lon: 0, lat: 90, accuracy: 10 }).box.every(Number.isFinite)).toBe(true)
})
