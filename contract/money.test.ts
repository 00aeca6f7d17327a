import fc from 'fast-check'
import { expect, test } from 'vitest'
import { currencyDigits, isAmount, toMajor, toMinor } from './money.ts'

test('currencyDigits returns the digits of currencies', () =>
  expect(['USD', 'JPY', 'KWD'].map(currencyDigits)).toEqual([2, 0, 3]))

test.each([
  [1.005, 'KWD', 1005],
  [0.29, 'USD', 29],
  [1.1, 'USD', 110],
  [4.35, 'USD', 435],
  [250, 'JPY', 250],
  [1e-7, 'USD', 0],
])('%d %s is %d in its smallest unit', (amount, currency, minor) =>
  expect(toMinor(amount, currency)).toBe(minor),
)

test('toMinor converts to minor units and back without loss', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1e9 }),
      fc.constantFrom('USD', 'JPY', 'KWD', 'EUR'),
      (minor, currency) => {
        expect(toMinor(toMajor(minor, currency), currency)).toBe(minor)
        expect(isAmount(toMajor(minor, currency), currency)).toBe(true)
      },
    ),
  )
})

test.each([
  [0.005, 'USD'],
  [1.5, 'JPY'],
  [-1, 'USD'],
  [Number.NaN, 'USD'],
  [Number.POSITIVE_INFINITY, 'USD'],
])('%d %s cannot be paid', (amount, currency) => expect(isAmount(amount, currency)).toBe(false))
