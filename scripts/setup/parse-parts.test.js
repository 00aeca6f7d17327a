import { expect, test } from 'vitest'
import { parseParts } from './parse-parts.js'

const NAMES = ['types', 'lint', 'unit', 'browser']

test('nothing named: all parts', () => {
  expect(parseParts([], NAMES)).toEqual({ parts: NAMES, rest: [] })
})

test('named parts run in their own order', () => {
  expect(parseParts(['unit', 'types'], NAMES)).toEqual({ parts: ['types', 'unit'], rest: [] })
})

test('the rest is passed on, with or without the dashes that npm takes away', () => {
  const expected = { parts: ['unit'], rest: ['server/imports', '-t', 'late'] }
  expect(parseParts(['unit', '--', 'server/imports', '-t', 'late'], NAMES)).toEqual(expected)
  expect(parseParts(['unit', 'server/imports', '-t', 'late'], NAMES)).toEqual(expected)
})

test('an unknown part is refused by name', () => {
  expect(() => parseParts(['unti'], NAMES)).toThrow(
    'no part is called unti; the parts are types, lint, unit, browser',
  )
})
