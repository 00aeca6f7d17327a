import { expect, it } from 'vitest'
import { findPoint } from './issue-key.ts'

const feed = '6f1b1d1e-0000-4000-8000-00000000000a'
const points = { sources: ['files', feed], id: ['7', '8', '7', 'a:b'], source: [0, 0, 1, 0] }

it('finds an issue by its source and number', () => {
  expect(findPoint(points, 'files:7')).toBe(0)
  expect(findPoint(points, `${feed}:7`)).toBe(2)
  expect(findPoint(points, 'files:a:b')).toBe(3)
})

it('finds the first with a number alone, and nothing for a missing one', () => {
  expect(findPoint(points, '7')).toBe(0)
  expect(findPoint(points, `${feed}:8`)).toBe(-1)
  expect(findPoint(points, '9')).toBe(-1)
})
