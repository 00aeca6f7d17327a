import { expect, test } from 'vitest'
import { descendants, findDescendants } from './descendants.js'

test('returns children and their children, and no other processes', () => {
  const lines = '    1     0\n   10     1\n   20    10\n   30    20\n   31    20\n   40     1\n'
  expect(findDescendants(lines, 10)).toEqual([20, 30, 31])
  expect(findDescendants(lines, 31)).toEqual([])
})

const own = descendants(process.ppid)

test.skipIf(!own)('this very process is among those of its parent', () => {
  expect(own).toContain(process.pid)
})
