import { expect, test } from 'vitest'
import { readHourlyRate } from './read-rule-text.ts'

test.each([
  ['$1.50/hr', 150],
  ['1.50 per hour', 150],
  ['$2 / h', 200],
  ['$.75', 75],
  ['2', 200],
])('readHourlyRate reads %s as a rate per hour', (text, rate) => expect(readHourlyRate(text)).toBe(rate))

test.each(['$1.50/day', '$1,50', '1.50 or 2.00', 'free-ish', ''])('readHourlyRate refuses %s', (text) =>
  expect(readHourlyRate(text)).toBeNull(),
)
