import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayFromNumber, defaultPeriod } from '#contract/period.ts'
import { selectedPeriod, periodPresets, periodState, presetPeriod } from './period.ts'

describe('presetPeriod', () => {
  it('returns months and quarters', () => {
    const days = (preset: (typeof periodPresets)[number], today: string) =>
      Object.values(presetPeriod(preset, today)).join(' ')
    expect(days('this_month', '2026-11-21')).toBe('2026-11-01 2026-11-21')
    expect(days('last_month', '2026-03-31')).toBe('2026-02-01 2026-02-28')
    expect(days('this_quarter', '2026-11-21')).toBe('2026-10-01 2026-11-21')
    expect(days('last_quarter', '2026-02-10')).toBe('2025-10-01 2025-12-31')
  })
})

describe('chosenPeriod', () => {
  const day = fc.integer({ min: 17_000, max: 22_000 })
  it('starts five months ago by default', () =>
    expect(selectedPeriod({}, '2026-11-21')).toEqual({ start_date: '2026-06-01', end_date: '2026-11-21' }))
  it('reads what `periodState` writes', () => {
    fc.assert(
      fc.property(day, day, day, (a, b, now) => {
        const [period, today] = [
          { start_date: dayFromNumber(Math.min(a, b)), end_date: dayFromNumber(Math.max(a, b)) },
          dayFromNumber(now),
        ]
        expect(selectedPeriod(periodState(period, today), today)).toEqual(period)
      }),
    )
  })
  it('writes relative periods as presets', () => {
    for (const preset of periodPresets)
      expect(selectedPeriod({ period: preset }, '2026-11-21')).toEqual(presetPeriod(preset, '2026-11-21'))
    expect(periodState(defaultPeriod('2026-11-21'), '2026-11-21')).toEqual({
      period: undefined,
      start_date: undefined,
      end_date: undefined,
    })
    expect(periodState(presetPeriod('last_month', '2026-11-21'), '2026-11-21').period).toBe('last_month')
  })
})
