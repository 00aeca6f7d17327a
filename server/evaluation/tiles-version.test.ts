import { expect, it } from 'vitest'
import { tilesVersion } from './tiles-version.ts'

it('differs by facts and by operators, and is the facts’ own for who sees all', () => {
  const told = [
    tilesVersion({ operators: null }, '7.abc'),
    tilesVersion({ operators: ['lark'] }, '7.abc'),
    tilesVersion({ operators: ['heron'] }, '7.abc'),
    tilesVersion({ operators: ['lark'] }, '8.abc'),
  ]
  expect(new Set(told).size).toBe(4)
  expect(told[0]).toBe('7.abc')
  expect(told[1]).toBe(tilesVersion({ operators: ['lark'] }, '7.abc'))
})
