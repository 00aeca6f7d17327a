import fc from 'fast-check'
import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import kit from './kit.en.json' with { type: 'json' }
import { getCurrencyDecimals, formatDecimal, formatMoney } from './format.ts'
import { cleanMoneyText, getDecimalMark, parseMoney } from './money-input.tsx'

beforeAll(() => i18next.init({ lng: 'en-US', resources: { 'en-US': { kit } } }))

describe('a formatted amount', () => {
  it('is in US dollars with two decimals by default', () => {
    expect(formatMoney(1204.5)).toBe('$1,204.50')
    expect(formatMoney(0)).toBe('$0.00')
  })
  it('has the symbol and decimals of its currency in the format of the language', () => {
    expect(formatMoney(1204.5, 'EUR')).toBe('€1,204.50')
    expect(formatMoney(1204.5, 'JPY')).toBe('¥1,205')
    expect(formatMoney(1204.5, 'EUR', 'de').replaceAll(/\s/g, ' ')).toBe('1.204,50 €')
    expect([getCurrencyDecimals('USD'), getCurrencyDecimals('JPY'), getCurrencyDecimals('KWD')]).toEqual([
      2, 0, 3,
    ])
  })
  it('is n/a if missing', () => {
    for (const amount of [null, undefined, Number.NaN]) expect(formatMoney(amount)).toBe('n/a')
  })
})

describe('decimals', () => {
  it('are within the requested range', () => {
    expect(formatDecimal(1204, { minimum: 2, maximum: 2 })).toBe('1,204.00')
    expect(formatDecimal(1.005, { minimum: 0, maximum: 1 })).toBe('1')
    expect(formatDecimal(1204.5, { minimum: 0, maximum: 2 }, 'es', false)).toBe('1204,5')
  })
  it('throw if the minimum is above the maximum, or negative', () => {
    expect(() => formatDecimal(1, { minimum: 3, maximum: 2 })).toThrow(
      new RangeError('The minimum of decimals must not be above the maximum'),
    )
    expect(() => formatDecimal(1, { minimum: -1, maximum: 2 })).toThrow(
      new RangeError('Decimals must not be negative'),
    )
    expect(() => formatDecimal(1, { minimum: -2, maximum: -1 })).toThrow('Decimals must not be negative')
  })
})

describe('a typed amount', () => {
  it.each([
    ['$1,204.50', '1204.50'],
    ['12a3', '123'],
    ['-5', '5'],
    ['1.2.3', '1.23'],
    ['abc', '0'],
    ['$', '0'],
    ['', ''],
  ])('%s is cleaned to %s', (text, left) => expect(cleanMoneyText(text, '.')).toBe(left))

  it.each([
    ['', null],
    ['abc', 0],
    ['.', 0],
    ['12.', 12],
    ['.5', 0.5],
    ['12.345', 12.35],
    ['007', 7],
  ])('%j is %j', (text, amount) => expect(parseMoney(text, '.', 2)).toBe(amount))

  it('has the decimal separator of its language', () => {
    expect([getDecimalMark('en-US'), getDecimalMark('es'), getDecimalMark('de')]).toEqual(['.', ',', ','])
    expect(parseMoney('1.204,50', ',', 2)).toBe(1204.5)
    expect(parseMoney('1204', '.', 0)).toBe(1204)
  })

  it('is never negative for any text, and null only for empty text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ maxLength: 12 }), fc.stringMatching(/^[\d.,]{0,12}$/)),
        fc.constantFrom('.', ','),
        fc.constantFrom(0, 2, 3),
        (text, mark, decimals) => {
          const amount = parseMoney(text, mark, decimals)
          expect(amount === null).toBe(text === '')
          expect(Number.isFinite(amount ?? 0) && (amount ?? 0) >= 0).toBe(true)
          expect(cleanMoneyText(cleanMoneyText(text, mark), mark)).toBe(cleanMoneyText(text, mark))
        },
      ),
    )
  })

  it('survives a round trip', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e9 }),
        fc.constantFrom('en-US', 'es', 'de'),
        (cents, language) => {
          expect(
            parseMoney(
              formatDecimal(cents / 100, { minimum: 0, maximum: 2 }, language, false),
              getDecimalMark(language),
              2,
            ),
          ).toBe(cents / 100)
        },
      ),
    )
  })
})
