import { expect, it } from 'vitest'
import { parseTypedNumber } from './typed-number.ts'

it.each([
  [5, 5],
  ['5.', 5],
  ['5.10', 5.1],
  ['0', 0],
  ['-0.5', -0.5],
  ['-0', null],
  ['-', null],
  ['', null],
])('what is typed as %j is the number %j', (typed, number) => {
  expect(parseTypedNumber(typed)).toBe(number)
})
