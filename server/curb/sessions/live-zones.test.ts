import { expect, it, test } from 'vitest'
import { countSpaces } from './live-zones.ts'

it.each([
  { open: 1, sources: 4, online: 4, expected: { occupied: 1, free: 3, unknown: 0 } },
  { open: 6, sources: 4, online: 4, expected: { occupied: 4, free: 0, unknown: 0 } },
  { open: 1, sources: 4, online: 3, expected: { occupied: 1, free: 2, unknown: 1 } },
  { open: 1, sources: 4, online: 1, expected: { occupied: 1, free: 0, unknown: 3 } },
  { open: 0, sources: 0, online: 0, expected: { occupied: 0, free: 0, unknown: 4 } },
])(
  'of 4 spaces with $open sessions and $sources sources, $online online: $expected',
  ({ open, sources, online, expected }) => {
    expect(countSpaces(4, open, { sources, online })).toEqual(expected)
  },
)

test('A live zone has unknown numbers of free spaces without a capacity', () => {
  expect(countSpaces(null, 3, { sources: 1, online: 1 })).toEqual({ occupied: 3, free: null, unknown: null })
})
