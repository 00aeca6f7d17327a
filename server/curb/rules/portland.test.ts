// Rules of downtown Portland (CurbLR 2020) as CDS. Its 23:59 is written 24:00. Lower priority numbers precede.
import { describe, expect, it } from 'vitest'
import type { CdsPolicy, CdsTimeSpan } from '#contract/cds.ts'
import { compileRuleSet } from './rule-set.ts'
import { createSpan, computeTimeline } from './timeline.ts'
import { describeWeek } from './week-in-words.ts'

const monToSat = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
const span = (start: string, end: string, fields: CdsTimeSpan = {}): CdsTimeSpan => ({
  time_of_day_start: start,
  time_of_day_end: end,
  ...fields,
})
const policy = (
  id: string,
  priority: number,
  rule: CdsPolicy['rules'][number],
  time_spans?: CdsTimeSpan[],
): CdsPolicy => ({ curb_policy_id: id, published_date: 0, priority, rules: [rule], time_spans })
const exceptHolidays = { designated_period: 'holidays', designated_period_except: true }
const paid = policy(
  'paid',
  9,
  {
    activity: 'parking',
    max_stay: 120,
    // 50 cents for any part of 15 minutes.
    rate: [{ rate: 200, rate_unit: 'hour', increment_amount: 50 }],
  },
  [
    span('08:00', '19:00', { days_of_week: [...monToSat], ...exceptHolidays }),
    span('13:00', '19:00', { days_of_week: ['sun'], ...exceptHolidays }),
  ],
)
const free = policy('free', 10, { activity: 'parking' }, [
  span('00:00', '08:00', { days_of_week: [...monToSat] }),
  span('19:00', '24:00', { days_of_week: [...monToSat] }),
  span('00:00', '13:00', { days_of_week: ['sun'] }),
  span('19:00', '24:00', { days_of_week: ['sun'] }),
])
const loading = policy('loading', 7, { activity: 'loading', max_stay: 30 }, [
  span('07:00', '11:00', { days_of_week: [...monToSat] }),
])
const nightLoading = policy('night', 7, { activity: 'loading', max_stay: 30 }, [
  span('20:00', '24:00'),
  span('00:00', '10:00'),
])
const construction = policy('works', 1, { activity: 'no parking' }, [
  // 2019-07-19 to 2020-01-10, local days.
  { start_date: Date.parse('2019-07-19T07:00:00Z'), end_date: Date.parse('2020-01-11T08:00:00Z') },
])
const busStop = policy('bus', 3, { activity: 'stopping', user_classes: ['bus'] })
const redCurb = policy('red', 0, { activity: 'no stopping' })

// 2026-07-04 is a Saturday.
const portland = {
  timezone: 'America/Los_Angeles',
  periods: new Map([['holidays', new Set(['2026-07-04'])]]),
}
const car = { ...portland, userClasses: ['car'], purposes: [] }
/** Returns lines such as `12345 08:00-19:00 paid_parking`: ISO weekdays, local times, curb state. */
const formatWeek = (policies: CdsPolicy[], day: string, user: typeof car = car): string[] =>
  describeWeek(policies, user, day).lines.map(
    ({ days, from, until, state }) => `${days.join('')} ${from}-${until} ${state}`,
  )

describe('blocks of Portland', () => {
  it.each<[string, CdsPolicy[], string, string[]]>([
    [
      'meters',
      [free, paid],
      '2026-06-10',
      [
        '123456 00:00-08:00 free_parking',
        '123456 08:00-19:00 paid_parking',
        '123456 19:00-24:00 free_parking',
        '7 00:00-13:00 free_parking',
        '7 13:00-19:00 paid_parking',
        '7 19:00-24:00 free_parking',
      ],
    ],
    [
      'meters behind a loading zone, in the week of a holiday',
      [paid, free, loading],
      '2026-07-04',
      [
        // Loading precedes from 07:00 to 11:00 (decision 041). On the holiday, meters do not charge and no rule
        // covers 11:00 to 19:00.
        '12345 00:00-07:00 free_parking',
        '12345 07:00-11:00 loading',
        '12345 11:00-19:00 paid_parking',
        '12345 19:00-24:00 free_parking',
        '6 00:00-07:00 free_parking',
        '6 07:00-11:00 loading',
        '6 11:00-19:00 not_regulated',
        '6 19:00-24:00 free_parking',
        '7 00:00-13:00 free_parking',
        '7 13:00-19:00 paid_parking',
        '7 19:00-24:00 free_parking',
      ],
    ],
    [
      'loading at night',
      [nightLoading],
      '2026-06-10',
      ['1234567 00:00-10:00 loading', '1234567 10:00-20:00 not_regulated', '1234567 20:00-24:00 loading'],
    ],
    [
      'construction that ends on a Friday',
      [construction, free],
      '2020-01-08',
      [
        // Parking is forbidden; the rule of free parking still permits loading.
        '12345 00:00-08:00 loading',
        '12345 08:00-19:00 no_parking',
        '12345 19:00-24:00 loading',
        '6 00:00-08:00 free_parking',
        '6 08:00-19:00 not_regulated',
        '6 19:00-24:00 free_parking',
        '7 00:00-13:00 free_parking',
        '7 13:00-19:00 not_regulated',
        '7 19:00-24:00 free_parking',
      ],
    ],
    ['a bus stop, for a car', [busStop], '2026-06-10', ['1234567 00:00-24:00 reserved']],
    ['a red curb before a bus stop', [busStop, redCurb], '2026-06-10', ['1234567 00:00-24:00 no_stopping']],
  ])('has %s', (_, policies, day, expected) => {
    expect(formatWeek(policies, day)).toEqual(expected)
  })

  it('is a bus stop for a bus', () => {
    expect(formatWeek([busStop], '2026-06-10', { ...car, userClasses: ['bus'] })).toEqual([
      '1234567 00:00-24:00 passenger',
    ])
  })

  it('charges from 08:00 local time on the day after the clock changes', () => {
    const sunday = Date.parse('2026-03-08T08:00:00Z')
    const span = createSpan(car, sunday, sunday + 2 * 86_400_000)
    const moments = [...computeTimeline(compileRuleSet([paid, free]), car, span)]
    const changes = moments.filter(({ state }, index) => state !== moments[index - 1]?.state)
    expect(changes.map(({ from, state }) => `${new Date(from).toISOString().slice(5, 16)} ${state}`)).toEqual(
      [
        '03-08T08:00 free_parking',
        '03-08T20:00 paid_parking',
        '03-09T02:00 free_parking',
        '03-09T15:00 paid_parking',
        '03-10T02:00 free_parking',
      ],
    )
  })
})
