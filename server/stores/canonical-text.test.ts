import { expect, test } from 'vitest'
import { canonicalText } from './canonical-text.ts'

test('Equal values have equal canonical texts', () => {
  expect(canonicalText({ b: [{ d: 1, c: null }], a: 'x' })).toBe('{"a":"x","b":[{"c":null,"d":1}]}')
  expect(canonicalText([2, 1])).not.toBe(canonicalText([1, 2]))
})
