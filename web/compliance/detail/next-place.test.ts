import { expect, it } from 'vitest'
import { nextPlace } from './day-matrix.tsx'

it('arrows lead through the grid and stop at its edges', () => {
  const at = { row: 0, column: 6 }
  expect(nextPlace(at, 'ArrowRight', 2, 7)).toEqual(at)
  expect(nextPlace(at, 'ArrowDown', 2, 7)).toEqual({ row: 1, column: 6 })
  expect(nextPlace(at, 'Home', 2, 7)).toEqual({ row: 0, column: 0 })
  expect(nextPlace({ row: 0, column: 0 }, 'End', 2, 7)).toEqual({ row: 0, column: 6 })
  expect(nextPlace(at, 'Enter', 2, 7)).toBeNull()
})
