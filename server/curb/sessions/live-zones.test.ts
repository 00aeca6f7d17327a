import { expect, it } from 'vitest'
import { countSpaces } from './live-zones.ts'

it.each([
  // capacity, open sessions, sources, online -> occupied, free, unknown
  [4, 1, 4, 4, 1, 3, 0],
  [4, 6, 4, 4, 4, 0, 0],
  [4, 1, 4, 3, 1, 2, 1],
  [4, 1, 4, 1, 1, 0, 3],
  [4, 0, 0, 0, 0, 0, 4],
])(
  'of %i spaces with %i sessions and %i sources, %i online: %i occupied, %i free, %i unknown',
  (capacity, open, sources, online, occupied, free, unknown) => {
    expect(countSpaces(capacity, open, { sources, online })).toEqual({ occupied, free, unknown })
  },
)

it('has unknown numbers of free spaces without a capacity', () => {
  expect(countSpaces(null, 3, { sources: 1, online: 1 })).toEqual({ occupied: 3, free: null, unknown: null })
})
