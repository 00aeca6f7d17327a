import { expect, it } from 'vitest'
import { isMissingData } from './is-missing-data.ts'

it('distinguishes missing data from failures', () => {
  for (const message of [
    'Layer 5 does not exist',
    'Table default.trips_by_layer does not exist',
    'The column "x" doesn’t exist.',
    'No such column',
  ])
    expect(isMissingData({ message })).toBe(true)
  for (const message of ['Bad Gateway', 'The layer is too large', 'This user does not exist'])
    expect(isMissingData({ message })).toBe(false)
  expect(isMissingData(null)).toBe(false)
})
