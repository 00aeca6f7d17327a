import { expect, test } from 'vitest'
import { parseParts } from './parse-parts.js'

const NAMES = ['types', 'lint', 'unit', 'browser']

test('returns all parts if none is named', () => {
  expect(parseParts([], NAMES)).toEqual({ parts: NAMES, rest: [] })
})

test('returns named parts in the order in which they run', () => {
  expect(parseParts(['unit', 'types'], NAMES)).toEqual({ parts: ['types', 'unit'], rest: [] })
})

test('returns the other arguments, with or without the two dashes, which npm may remove', () => {
  const expected = { parts: ['unit'], rest: ['server/imports', '-t', 'late'] }
  expect(parseParts(['unit', '--', 'server/imports', '-t', 'late'], NAMES)).toEqual(expected)
  expect(parseParts(['unit', 'server/imports', '-t', 'late'], NAMES)).toEqual(expected)
})

test('throws for an unknown part and names it', () => {
  expect(() => parseParts(['unti'], NAMES)).toThrow(
    'no part is called unti; the parts are types, lint, unit, browser',
  )
})
