import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayFromNumber, LocalDay } from '#contract/period.ts'
import { cleanDayText, getDayPattern, parseDay, formatDay } from './day-text.ts'

const languages = [
  'en-US',
  'es',
  'de',
  'en-GB',
  'en-CA',
  'fr',
  'nl',
  'sv',
  'ja',
  'ko',
  'hu',
  'pt-BR',
  'ar',
  'fa',
] as const
const anyDay = fc.integer({ min: -300_000, max: 900_000 }).map(dayFromNumber)

describe('a formatted date', () => {
  it.each([
    ['en-US', '11/21/2026'],
    ['es', '21/11/2026'],
    ['de', '21.11.2026'],
    ['en-GB', '21/11/2026'],
    ['en-CA', '2026/11/21'],
    ['nl', '21/11/2026'],
    ['ja', '2026/11/21'],
    ['hu', '2026.11.21'],
  ])('in %s is %s', (language, text) => expect(formatDay('2026-11-21', language)).toBe(text))

  it('has the order and separator of the language', () => {
    expect(getDayPattern('en-US')).toEqual({ order: ['month', 'day', 'year'], separator: '/' })
    expect(getDayPattern('de')).toEqual({ order: ['day', 'month', 'year'], separator: '.' })
  })

  it.each([
    ['en-US', '1/2/2026', '2026-01-02'],
    ['en-US', '01.02.2026', '2026-01-02'],
    ['es', '1/2/2026', '2026-02-01'],
    ['de', '29.2.2028', '2028-02-29'],
    ['en-CA', '2026/2/1', '2026-02-01'],
  ])('in %s, %s means %s', (language, text, day) => expect(parseDay(text, language)).toBe(day))

  it.each([
    '',
    '11',
    '11/21',
    '11/21/',
    '11/21/2',
    '11/21/20',
    '11/21/202',
    '21/11/2026',
    '2/29/2026',
    '0/1/2026',
    '1/0/2026',
    '1/32/2026',
    '1//2026',
    '1/2/3/2026',
    '11212026',
    '1/2/0026',
    '111/2/2026',
    'a/b/c',
  ])('%s is not a date in en-US', (text) => expect(parseDay(text, 'en-US')).toBeNull())

  it('can be typed and parsed in every language', () => {
    fc.assert(
      fc.property(fc.constantFrom(...languages), anyDay, (language, day) => {
        const text = formatDay(day, language)
        expect(parseDay(text, language)).toBe(day)
        expect(cleanDayText(text)).toBe(text)
      }),
    )
  })

  it('parses any text to an existing day or null', () => {
    const text = fc.oneof(
      fc.string(),
      fc.stringMatching(/^\d{0,3}[./]\d{0,3}[./]\d{0,5}$/),
      fc.tuple(fc.nat(13), fc.nat(32), fc.integer({ min: 1000, max: 9999 })).map((parts) => parts.join('/')),
    )
    fc.assert(
      fc.property(fc.constantFrom(...languages), text, (language, typed) => {
        const day = parseDay(cleanDayText(typed), language)
        expect(day === null || LocalDay.safeParse(day).success).toBe(true)
      }),
    )
  })

  it('has at most ten characters: digits, point and slash', () => {
    expect(cleanDayText('Nov 21, 2026')).toBe('212026')
    expect(cleanDayText('11-21/20.26')).toBe('1121/20.26')
    fc.assert(fc.property(fc.string(), (text) => /^[\d./]{0,10}$/.test(cleanDayText(text))))
  })
})
