import fc from 'fast-check'
import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import kit from './kit.en.json' with { type: 'json' }
import en from './kit.widgets.en.json' with { type: 'json' }
import es from './kit.widgets.es.json' with { type: 'json' }
import { formatDuration, formatSpan } from './format-duration.ts'

beforeAll(() =>
  i18next.init({ lng: 'en-US', resources: { 'en-US': { kit: { ...kit, ...en } }, es: { kit: es } } }),
)
const whole = fc.integer({ min: 0, max: 400 * 86_400 })

describe('a duration in one unit', () => {
  it.each([
    [0, '0 secs'],
    [0.4, '0 secs'],
    [1, '1 sec'],
    [40, '40 secs'],
    [59.9, '59 secs'],
    [60, '1 min'],
    [61, '1 min'],
    [120, '2 mins'],
    [3599, '59 mins'],
    [3600, '1.0 hrs'],
    [5400, '1.5 hrs'],
    [90_000, '25.0 hrs'],
    [4_000_000, '1,111.1 hrs'],
  ])('of %d seconds is %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text))

  it('is in seconds below a minute, in minutes below an hour, then in hours with one decimal', () => {
    fc.assert(
      fc.property(whole, (seconds) => {
        const form = seconds < 60 ? /^\d+ secs?$/ : seconds < 3600 ? /^\d+ mins?$/ : /^[\d,]+\.\d hrs$/
        expect(formatDuration(seconds)).toMatch(form)
      }),
    )
  })
})

describe('a duration in all units', () => {
  it.each([
    [0, '0 mins'],
    [59, '0 mins'],
    [60, '1 min'],
    [3600, '1 hr'],
    [3900, '1 hr 5 mins'],
    [86_400, '1 day'],
    [93_900, '1 day 2 hrs 5 mins'],
    [2 * 86_400 + 60, '2 days 1 min'],
    [-5, '0 mins'],
  ])('of %d seconds is %s', (seconds, text) => expect(formatSpan(seconds)).toBe(text))

  it('is accurate to less than a minute', () => {
    const unit: Record<string, number> = { day: 86_400, hr: 3600, min: 60 }
    fc.assert(
      fc.property(whole, (seconds) => {
        const parsed = [...formatSpan(seconds).matchAll(/([\d,]+) (day|hr|min)s?/g)].reduce(
          (sum, [, count = '', name = '']) => sum + Number(count.replace(',', '')) * (unit[name] ?? 0),
          0,
        )
        expect(seconds - parsed).toBeGreaterThanOrEqual(0)
        expect(seconds - parsed).toBeLessThan(60)
      }),
    )
  })
})

it('a missing duration is n/a', () => {
  for (const format of [formatDuration, formatSpan])
    for (const value of [null, undefined, Number.NaN]) expect(format(value)).toBe('n/a')
})

it('both depend on the language', async () => {
  await i18next.changeLanguage('es')
  expect([formatDuration(5400), formatSpan(2 * 86_400)]).toEqual(['1,5 h', '2 días'])
  await i18next.changeLanguage('en-US')
})
