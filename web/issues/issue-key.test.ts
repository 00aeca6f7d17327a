import { expect, it } from 'vitest'
import { findPointIndex, fromMark, toIssueKey, toMark, parseIssueKey } from './issue-key.ts'

const feed = '6f1b1d1e-0000-4000-8000-00000000000a'

it.each([
  ['files', 'SR-1'],
  [feed, '17'],
  ['files', 'SR:1/2'],
  ['files', 'files:7'],
])('parses source %s and number %s', (source, id) => {
  expect(parseIssueKey(toIssueKey(source, id))).toEqual({ source, id })
})

it('accepts a number without a source, in any form', () => {
  expect(parseIssueKey('SR:17')).toEqual({ source: null, id: 'SR:17' })
  expect(parseIssueKey('files:')).toEqual({ source: null, id: 'files:' })
})

it.each(['files:A/1', 'files:100%2F', 'files:%25/%'])(
  'converts %s to a mark without slashes and back',
  (key) => {
    expect(toMark(key)).not.toContain('/')
    expect(fromMark(toMark(key))).toBe(key)
  },
)

const points = { sources: ['files', feed], id: ['7', '8', '7', 'a:b'], source: [0, 0, 1, 0] }

it('finds an issue by its source and number', () => {
  expect(findPointIndex(points, 'files:7')).toBe(0)
  expect(findPointIndex(points, `${feed}:7`)).toBe(2)
  expect(findPointIndex(points, 'files:a:b')).toBe(3)
})

it('finds the first match of a number without a source, and nothing for a missing one', () => {
  expect(findPointIndex(points, '7')).toBe(0)
  expect(findPointIndex(points, `${feed}:8`)).toBe(-1)
  expect(findPointIndex(points, '9')).toBe(-1)
})
