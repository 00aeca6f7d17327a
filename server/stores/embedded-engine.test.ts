import { expect, it } from 'vitest'
import { setParameters } from './embedded-engine.ts'

it('quotes values', () => {
  expect(setParameters({ p0: "it's", p1: ["a'b", '\\'], p2: 7, p3: null })).toBe(
    String.raw`set param_p0 = 'it\'s', param_p1 = '[\'a\\\'b\',\'\\\\\']', param_p2 = '7', param_p3 = '\\N'`,
  )
})

it('escapes tabs, newlines and backslashes', () => {
  expect(setParameters({ p0: '\t\n\\' })).toBe(String.raw`set param_p0 = '\\t\\n\\\\'`)
})
