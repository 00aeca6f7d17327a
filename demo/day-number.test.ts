import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayMs } from '#contract/period.ts'
import { dayNumber } from './day-number.ts'

describe('dayNumber', () => {
  it('counts days since 1970, including leap days', () => {
    expect(['1970-01-01', '1970-01-02', '1969-12-31', '2000-03-01'].map(dayNumber)).toEqual([
      0, 1, -1, 11_017,
    ])
    expect(dayNumber('2024-03-01') - dayNumber('2024-02-28')).toBe(2)
    expect(dayNumber('2026-03-01') - dayNumber('2026-02-28')).toBe(1)
  })

  it('dayNumber is the inverse of formatting a day as a date', () => {
    fc.assert(
      fc.property(fc.integer({ min: -20_000, max: 60_000 }), (day) => {
        expect(dayNumber(new Date(day * dayMs).toISOString().slice(0, 10))).toBe(day)
      }),
    )
  })

  it.each(['June', '2026-6-1', '2026-06-01T00:00', '2026-13-01', '2026-00-10', '2026-02-30', ''])(
    'rejects %j',
    (text) => {
      expect(() => dayNumber(text)).toThrow(RangeError)
    },
  )
})
