import { expect, test } from 'vitest'
import { parseByteRange } from './serve-pmtiles.ts'

test.each([
  ['bytes=0-0', 0, 0],
  ['bytes=0-99', 0, 99],
  ['bytes=10-19', 10, 19],
  ['bytes=990-5000', 990, 999],
  ['bytes=990-', 990, 999],
  ['bytes=-10', 990, 999],
  ['bytes=-5000', 900, 999],
  [' bytes=5-6 ', 5, 6],
])('%s of 1,000 bytes are %d to %d', (header, first, last) => {
  const range = parseByteRange(header, 1000, header === 'bytes=-5000' ? 100 : 1000)
  expect(range).toEqual(header === 'bytes=-5000' ? { first: 0, last: 99 } : { first, last })
})

test.each([
  'bytes=1000-',
  'bytes=1000-1001',
  'bytes=5-4',
  'bytes=-0',
  'bytes=-',
  'bytes=0-1,4-5',
  'items=0-1',
  'bytes=a-b',
  'bytes=1',
  '',
  'bytes=99999999999999999999-',
])('parseByteRange returns null for %s of 1,000 bytes', (header) => {
  expect(parseByteRange(header, 1000, 1000)).toBeNull()
})

test('parseByteRange limits a range to the allowed size, and returns null for an empty file', () => {
  expect(parseByteRange('bytes=100-', 1000, 50)).toEqual({ first: 100, last: 149 })
  expect(parseByteRange('bytes=0-10', 0, 50)).toBeNull()
})
