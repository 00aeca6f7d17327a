import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayFromNumber } from '#contract/period.ts'
import { chooseMonth, earliestMonth, isMonthOutside, yearsWithin } from './month-range-picker.tsx'

const bounds = { minDate: earliestMonth, maxDate: '2026-11-21' }
const range = { from: '2026-03-01', to: '2026-05-31' }

describe('a selected month', () => {
  it('sets its first or last day', () => {
    expect(chooseMonth(range, 'from', 2026, 2, bounds)).toEqual({ from: '2026-02-01', to: '2026-05-31' })
    expect(chooseMonth(range, 'to', 2028, 2, { ...bounds, maxDate: '2030-12-31' })).toEqual({
      from: '2026-03-01',
      to: '2028-02-29',
    })
  })

  it('is clamped to the earliest and the latest day', () => {
    expect(chooseMonth(range, 'to', 2026, 11, bounds).to).toBe('2026-11-21')
    expect(chooseMonth(range, 'to', 2026, 12, bounds).to).toBe('2026-11-21')
    expect(chooseMonth(range, 'from', 2009, 12, bounds).from).toBe('2010-01-01')
    expect(chooseMonth(range, 'from', 2020, 5, { ...bounds, minDate: '2020-05-15' }).from).toBe('2020-05-15')
  })

  it('moves the other end if necessary', () => {
    expect(chooseMonth(range, 'from', 2026, 8, bounds)).toEqual({ from: '2026-08-01', to: '2026-08-31' })
    expect(chooseMonth(range, 'from', 2026, 11, bounds)).toEqual({ from: '2026-11-01', to: '2026-11-21' })
    expect(chooseMonth(range, 'to', 2026, 1, bounds)).toEqual({ from: '2026-01-01', to: '2026-01-31' })
  })

  it('results in a range within the bounds, with the start not after the end', () => {
    const day = fc.integer({ min: 13_000, max: 22_000 }).map(dayFromNumber)
    fc.assert(
      fc.property(
        day,
        day,
        day,
        day,
        fc.constantFrom('from' as const, 'to' as const),
        fc.integer({ min: 2004, max: 2032 }),
        fc.integer({ min: 1, max: 12 }),
        (a, b, c, d, end, year, month) => {
          const [minDate = '', maxDate = ''] = [a, b].sort()
          const [from = '', to = ''] = [c, d].sort()
          const next = chooseMonth({ from, to }, end, year, month, { minDate, maxDate })
          expect([next.from <= next.to, next.from >= minDate, next.to <= maxDate]).toEqual([true, true, true])
        },
      ),
    )
  })
})

it('months without a day within the bounds are outside', () => {
  expect([1, 10, 11, 12].map((month) => isMonthOutside(2026, month, bounds))).toEqual([
    false,
    false,
    false,
    true,
  ])
  expect(isMonthOutside(2009, 12, bounds)).toBe(true)
  expect(isMonthOutside(2010, 1, { ...bounds, minDate: '2010-01-31' })).toBe(false)
})

it('years are within the bounds, from 2010 by default', () => {
  expect(yearsWithin(bounds)).toHaveLength(17)
  expect([yearsWithin(bounds)[0], yearsWithin(bounds).at(-1)]).toEqual([2010, 2026])
})
