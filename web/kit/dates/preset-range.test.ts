import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayNumber, dayFromNumber, startOfMonth } from '#contract/period.ts'
import { getPresetRange, rangePresets } from './preset-range.ts'

const anyDay = fc.integer({ min: 12_000, max: 30_000 }).map(dayFromNumber)

describe('presets', () => {
  it.each([
    ['last7Days', '2026-11-25', '2026-11-19', '2026-11-25'],
    ['last30Days', '2026-03-01', '2026-01-31', '2026-03-01'],
    ['lastWeek', '2026-11-25', '2026-11-15', '2026-11-21'],
    ['lastWeek', '2026-11-22', '2026-11-15', '2026-11-21'],
    ['lastWeek', '2026-11-21', '2026-11-08', '2026-11-14'],
    ['thisMonth', '2026-11-21', '2026-11-01', '2026-11-21'],
    ['lastMonth', '2026-11-21', '2026-10-01', '2026-10-31'],
    ['lastMonth', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['lastMonth', '2028-03-01', '2028-02-01', '2028-02-29'],
    ['lastMonth', '2026-01-15', '2025-12-01', '2025-12-31'],
    ['thisQuarter', '2026-11-21', '2026-10-01', '2026-11-21'],
    ['thisQuarter', '2026-01-01', '2026-01-01', '2026-01-01'],
    ['lastQuarter', '2026-11-21', '2026-07-01', '2026-09-30'],
    ['lastQuarter', '2026-02-10', '2025-10-01', '2025-12-31'],
  ] as const)('%s on %s is %s to %s', (preset, today, from, to) =>
    expect(getPresetRange(preset, today)).toEqual({ from, to }),
  )

  it('never end after today; months and quarters start with a month, and past ones end before current ones', () => {
    fc.assert(
      fc.property(anyDay, (today) => {
        for (const preset of rangePresets) {
          const { from, to } = getPresetRange(preset, today)
          const isOfMonths = !/Days|Week/.test(preset)
          expect([from <= to, to <= today, !isOfMonths || from === startOfMonth(from)]).toEqual([
            true,
            true,
            true,
          ])
        }
        expect(
          dayNumber(getPresetRange('thisMonth', today).from) -
            dayNumber(getPresetRange('lastMonth', today).to),
        ).toBe(1)
        expect(
          dayNumber(getPresetRange('thisQuarter', today).from) -
            dayNumber(getPresetRange('lastQuarter', today).to),
        ).toBe(1)
      }),
    )
  })
})
