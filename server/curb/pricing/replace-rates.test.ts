import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type CdsPolicyContent, type CdsTimeSpan, cdsWeekdays } from '#contract/cds.ts'
import { dayMs, minuteMs } from '#contract/period.ts'
import { compileRuleSet } from '../rules/rule-set.ts'
import { createSpan, computeTimeline } from '../rules/timeline.ts'
import { NotSplittable, type RateChange, replaceRates } from './replace-rates.ts'
import { dayMinutes, formatClock, getHourlyRate, parkingCar } from './zone-rates.ts'

const policy = (spans: CdsTimeSpan[], rate = 200): CdsPolicyContent => ({
  name: 'Paid parking',
  priority: 80,
  rules: [
    { activity: 'parking', max_stay: 2, max_stay_unit: 'hour', rate: [{ rate, rate_unit: 'hour' }] },
    { activity: 'loading', user_classes: ['truck'], rate: [{ rate: 900, rate_unit: 'hour' }] },
  ],
  time_spans: spans,
})
const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri'] as const
/** Changes the rate of $2 between two hours of the local day. */
const changeRate = (hours: [number, number], after: number, weekdays = [1, 2, 3, 4, 5]): RateChange => {
  const [from, until] = hours
  return { weekdays, from: from * 60, until: until * 60, before: 200, after }
}
const summarize = (contents: readonly CdsPolicyContent[] | null) =>
  contents?.map(({ rules, time_spans }) => [rules[0]?.rate?.[0]?.rate, rules[1]?.rate?.[0]?.rate, time_spans])

describe('replaceRates', () => {
  it('returns one policy for the times that retain their rate, and one for each new rate', () => {
    const before = policy([
      { days_of_week: [...weekdayNames, 'sat'], time_of_day_start: '09:00', time_of_day_end: '18:00' },
    ])
    const after = replaceRates(before, [changeRate([0, 12], 175), changeRate([15, 24], 225)])
    expect(summarize(after)).toEqual([
      [
        200,
        900,
        [
          { days_of_week: [...weekdayNames], time_of_day_start: '12:00', time_of_day_end: '15:00' },
          { days_of_week: ['sat'], time_of_day_start: '09:00', time_of_day_end: '18:00' },
        ],
      ],
      [175, 900, [{ days_of_week: [...weekdayNames], time_of_day_start: '09:00', time_of_day_end: '12:00' }]],
      [225, 900, [{ days_of_week: [...weekdayNames], time_of_day_start: '15:00', time_of_day_end: '18:00' }]],
    ])
    expect(after?.every(({ name, priority }) => name === 'Paid parking' && priority === 80)).toBe(true)
  })

  it('returns one policy if all its times get the same new rate', () => {
    const before = policy([
      { days_of_week: [...weekdayNames], time_of_day_start: '09:00', time_of_day_end: '18:00' },
    ])
    expect(summarize(replaceRates(before, [changeRate([0, 12], 225), changeRate([12, 24], 225)]))).toEqual([
      [225, 900, [{ days_of_week: [...weekdayNames], time_of_day_start: '09:00', time_of_day_end: '18:00' }]],
    ])
  })

  it('splits a policy at midnight', () => {
    const before = policy([{ days_of_week: ['fri'], time_of_day_start: '20:00', time_of_day_end: '02:00' }])
    expect(summarize(replaceRates(before, [changeRate([0, 24], 300, [6])]))).toEqual([
      [200, 900, [{ days_of_week: ['fri'], time_of_day_start: '20:00', time_of_day_end: '24:00' }]],
      [300, 900, [{ days_of_week: ['sat'], time_of_day_start: '00:00', time_of_day_end: '02:00' }]],
    ])
  })

  it('returns null if no change concerns the policy', () => {
    const before = policy([{ days_of_week: ['sun'], time_of_day_start: '09:00', time_of_day_end: '18:00' }])
    expect(replaceRates(before, [changeRate([0, 24], 300)])).toBeNull()
    expect(replaceRates(policy([{}], 400), [changeRate([0, 24], 300)])).toBeNull()
  })

  it('throws if a rate or a time cannot be expressed', () => {
    const seasonalPolicy = policy([{ months: [6, 7], time_of_day_start: '20:00', time_of_day_end: '02:00' }])
    expect(() => replaceRates(seasonalPolicy, [changeRate([0, 24], 300)])).toThrow(NotSplittable)
    const policyByMinute = policy([{}])
    policyByMinute.rules[0]!.rate = [{ rate: 5, rate_unit: 'minute' }]
    // 325 cents an hour is no whole number of cents a minute.
    const weekdayChange = { ...changeRate([0, 24], 325), before: 300 }
    expect(() => replaceRates(policyByMinute, [weekdayChange])).toThrow(NotSplittable)
    const dailyChange = { ...weekdayChange, weekdays: [1, 2, 3, 4, 5, 6, 7], after: 360 }
    expect(summarize(replaceRates(policyByMinute, [dailyChange]))).toEqual([[6, 900, [{}]]])
  })
})

const quarterMs = 15 * minuteMs
const quartersPerDay = 96
/** Returns 672 rates, for the quarter hours from Monday, 2026-06-01; null without paid parking. */
function rateByQuarter(policies: readonly CdsPolicyContent[]): (number | null)[] {
  const rules = compileRuleSet(
    policies.map((policy, index) => ({ ...policy, curb_policy_id: String(index), published_date: 0 })),
  )
  const weekStart = Date.parse('2026-06-01')
  const span = createSpan({ timezone: 'UTC', periods: new Map() }, weekStart, weekStart + 7 * dayMs)
  const rates = Array.from({ length: 7 * quartersPerDay }, (): number | null => null)
  for (const { from, until, deciding } of computeTimeline(rules, parkingCar, span)) {
    const { parking } = deciding
    if (parking?.effects.parking !== 'allowed') continue
    const hourly = getHourlyRate(parking.rule)
    if (typeof hourly === 'object' && 'rate' in hourly)
      rates.fill(hourly.rate, (from - weekStart) / quarterMs, (until - weekStart) / quarterMs)
  }
  return rates
}

test('replaceRates gives each quarter hour of the week its new rate, or else the old one, for any policy', () => {
  /** A minute of the day at a quarter hour. */
  const anyQuarter = (min: number, max: number) => fc.integer({ min, max }).map((value) => value * 15)
  const spans = fc
    .record({ days: fc.subarray([...cdsWeekdays]), from: anyQuarter(0, 95), until: anyQuarter(1, 96) })
    .map(({ days, from, until }): CdsTimeSpan => ({
      ...(days.length ? { days_of_week: days } : {}),
      time_of_day_start: formatClock(from),
      time_of_day_end: formatClock(until),
    }))
  const changes = fc.record({
    weekdays: fc.subarray([1, 2, 3, 4, 5, 6, 7]),
    cuts: fc.uniqueArray(anyQuarter(1, 95), { minLength: 1, maxLength: 3 }),
    rates: fc.array(fc.constantFrom(100, 200, 225, 300), { minLength: 4, maxLength: 4 }),
  })
  fc.assert(
    fc.property(fc.array(spans, { maxLength: 3 }), changes, (timeSpans, { weekdays, cuts, rates }) => {
      const times = [0, ...cuts.toSorted((a, b) => a - b), dayMinutes]
      const rateChanges = times
        .slice(1)
        .map((until, i): RateChange => ({ weekdays, from: times[i]!, until, before: 200, after: rates[i]! }))
      const before = policy(timeSpans)
      const after = replaceRates(before, rateChanges) ?? [before]
      const expected = rateByQuarter([before]).map((rate, index) => {
        const weekday = Math.floor(index / quartersPerDay) + 1
        const minute = (index % quartersPerDay) * 15
        const rateChange = rateChanges.find(
          (change) => change.weekdays.includes(weekday) && change.from <= minute && minute < change.until,
        )
        return rate === null ? null : (rateChange?.after ?? rate)
      })
      expect(rateByQuarter(after)).toEqual(expected)
    }),
    { numRuns: Number(process.env['PRICING_RUNS'] ?? 100) },
  )
})
