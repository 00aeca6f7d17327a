import { describe, expect, it, test } from 'vitest'
import type { CdsPolicy, CdsTimeSpan } from '#contract/cds.ts'
import type { CurbUse } from '#contract/curb-rules.ts'
import { dayMs } from '#contract/period.ts'
import { startOfDay } from '#contract/civil-clock.ts'
import { decide, describeSituation } from './decide-at-instant.ts'
import { compileRuleSet } from './rule-set.ts'

const timezone = 'America/New_York'
const car = { userClasses: ['car'], purposes: [], timezone, periods: new Map() }
const policy = (
  id: string,
  priority: number,
  rules: CdsPolicy['rules'],
  time_spans?: CdsTimeSpan[],
): CdsPolicy => ({
  curb_policy_id: id,
  published_date: 0,
  priority,
  rules,
  ...(time_spans && { time_spans }),
})
/** Converts a local time to ms, on a day without a change of the clock. */
const toMs = (day: string, time: string): number =>
  startOfDay(day, timezone) + Date.parse(`1970-01-01T${time}Z`)

/** Example "Curb Policies" of the standard (cds_examples/curbs.md). */
const fleetOperators = ['b2046faf-2bc2-4f0e-b784-7cc746138555', 'aba63473-351c-4624-93ab-456db34f83a6']
const standardExample = compileRuleSet([
  {
    ...policy(
      'cd0996d7',
      1,
      [{ activity: 'parking', max_stay: 15, user_classes: ['rideshare', 'electric'] }],
      [
        {
          days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri'],
          time_of_day_start: '10:00',
          time_of_day_end: '16:00',
        },
      ],
    ),
    data_source_operator_id: fleetOperators,
  },
  policy(
    '51f58575',
    2,
    [{ activity: 'parking', max_stay: 60 }],
    [{ time_of_day_start: '08:00', time_of_day_end: '22:00' }],
  ),
  policy('8c0abb35', 3, [{ activity: 'no stopping' }]),
])

describe("the standard's example of policies", () => {
  const taxi = {
    ...car,
    userClasses: ['car', 'electric'],
    purposes: ['rideshare'],
    operators: fleetOperators.slice(1),
  }
  const decideParking = (user: typeof car | typeof taxi, day: string, time: string) => {
    const { answer, max_stay, decided_by, until, next } = decide(standardExample, {
      ...user,
      activity: 'parking',
      at: toMs(day, time),
    })
    return [answer, max_stay, decided_by?.curb_policy_id, until, next?.decided_by?.curb_policy_id]
  }
  // 2026-05-04 is a Monday.
  it.each([
    [taxi, '2026-05-04', '12:00', ['allowed', 15, 'cd0996d7', toMs('2026-05-04', '16:00'), '51f58575']],
    [taxi, '2026-05-03', '12:00', ['allowed', 60, '51f58575', toMs('2026-05-03', '22:00'), '8c0abb35']],
    [car, '2026-05-04', '12:00', ['allowed', 60, '51f58575', toMs('2026-05-04', '22:00'), '8c0abb35']],
    [car, '2026-05-04', '22:00', ['forbidden', null, '8c0abb35', toMs('2026-05-05', '08:00'), '51f58575']],
    [
      { ...taxi, operators: [] },
      '2026-05-04',
      '12:00',
      ['allowed', 60, '51f58575', toMs('2026-05-04', '22:00'), '8c0abb35'],
    ],
  ])('decides for %o on %s at %s', (user, day, time, expected) => {
    expect(decideParking(user, day, time)).toEqual(expected)
  })
})

test.each<[string, CdsPolicy['rules'][number]['activity'], Partial<Record<CurbUse, string>>]>([
  [
    'free_parking',
    'parking',
    { parking: 'allowed', loading: 'allowed', unloading: 'allowed', stopping: 'allowed' },
  ],
  ['no_parking', 'no parking', { parking: 'forbidden' }],
  ['loading', 'loading', { parking: 'forbidden', loading: 'allowed', stopping: 'allowed' }],
  ['no_parking', 'no loading', { parking: 'forbidden', loading: 'forbidden' }],
  ['loading', 'unloading', { parking: 'forbidden', unloading: 'allowed', stopping: 'allowed' }],
  ['no_parking', 'no unloading', { parking: 'forbidden', unloading: 'forbidden' }],
  [
    'passenger',
    'stopping',
    { parking: 'forbidden', loading: 'forbidden', unloading: 'forbidden', stopping: 'allowed' },
  ],
  [
    'no_stopping',
    'no stopping',
    { parking: 'forbidden', loading: 'forbidden', unloading: 'forbidden', stopping: 'forbidden' },
  ],
  [
    'travel_lane',
    'travel',
    {
      parking: 'forbidden',
      loading: 'forbidden',
      unloading: 'forbidden',
      stopping: 'forbidden',
      travel: 'allowed',
    },
  ],
  ['not_regulated', 'no travel', { travel: 'forbidden' }],
])('The map gives %s where the only rule is %s', (state, activity, answers) => {
  const situation = describeSituation(compileRuleSet([policy('a', 1, [{ activity }])]), {
    ...car,
    at: toMs('2026-05-04', '12:00'),
  })
  const regulatedUses = Object.entries(situation.uses).flatMap(([use, { answer }]) =>
    answer === 'not_regulated' ? [] : [[use, answer]],
  )
  expect(situation.state).toBe(state)
  expect(Object.fromEntries(regulatedUses)).toEqual(answers)
})

describe('time spans', () => {
  const getParkingAnswer = (
    span: CdsTimeSpan,
    day: string,
    time: string,
    periods = new Map<string, Set<string>>(),
  ) =>
    decide(compileRuleSet([policy('a', 1, [{ activity: 'parking' }], [span])]), {
      ...car,
      periods,
      activity: 'parking',
      at: toMs(day, time),
    }).answer
  const night = { time_of_day_start: '22:00', time_of_day_end: '06:00' }
  const holidays = new Map([['holidays', new Set(['2026-05-04'])]])
  // 2026-05-04 is the first Monday of May, 2026-05-11 the second.
  it.each<[CdsTimeSpan, string, string, string, Map<string, Set<string>>?]>([
    [{ days_of_week: ['mon'], weeks_of_month: [2] }, '2026-05-04', '12:00', 'not_regulated'],
    [{ days_of_week: ['mon'], weeks_of_month: [2] }, '2026-05-11', '12:00', 'allowed'],
    [{ weeks_of_month: [1] }, '2026-05-07', '23:59', 'allowed'],
    [{ weeks_of_month: [1] }, '2026-05-08', '00:00', 'not_regulated'],
    [{ weeks_of_month: [5] }, '2026-05-29', '00:00', 'allowed'],
    [{ ...night, days_of_week: ['mon'] }, '2026-05-05', '05:59', 'allowed'],
    [{ ...night, days_of_week: ['mon'] }, '2026-05-05', '06:00', 'not_regulated'],
    [{ ...night, days_of_week: ['mon'] }, '2026-05-04', '05:59', 'not_regulated'],
    [{ ...night, months: [4] }, '2026-05-01', '02:00', 'allowed'],
    [{ ...night, designated_period: 'holidays' }, '2026-05-05', '02:00', 'allowed', holidays],
    [
      { ...night, designated_period: 'holidays', designated_period_except: true },
      '2026-05-05',
      '02:00',
      'not_regulated',
      holidays,
    ],
    [{ designated_period: 'snow emergency' }, '2026-05-04', '12:00', 'not_regulated', holidays],
    [{ time_of_day_start: '18:00', time_of_day_end: '24:00' }, '2026-05-04', '23:59', 'allowed'],
    [{ time_of_day_start: '18:00' }, '2026-05-04', '17:59', 'not_regulated'],
    [{ days_of_month: [1, 3, 5] }, '2026-05-04', '12:00', 'not_regulated'],
    [{ start_date: toMs('2026-05-04', '12:00') }, '2026-05-04', '12:00', 'allowed'],
    [{ end_date: toMs('2026-05-04', '12:00') }, '2026-05-04', '12:00', 'not_regulated'],
  ])('%o on %s at %s is %s', (span, day, time, answer, periods) => {
    expect(getParkingAnswer(span, day, time, periods)).toBe(answer)
  })
})

describe('the instant until which a decision is valid', () => {
  const noon = toMs('2026-05-04', '12:00')
  const decideParking = (span: CdsTimeSpan) =>
    decide(
      compileRuleSet([
        policy(
          'a',
          1,
          [
            {
              activity: 'parking',
              max_stay: 2,
              max_stay_unit: 'hour',
              no_return: 1,
              no_return_unit: 'day',
              rate: [{ rate: 150, rate_unit: 'hour' }],
            },
          ],
          [span],
        ),
      ]),
      { ...car, activity: 'parking', at: noon },
    )

  it('can be months later, and comes with the next decision', () => {
    expect(decideParking({ months: [8] })).toMatchObject({
      answer: 'not_regulated',
      decided_by: null,
      until: toMs('2026-08-01', '00:00'),
      next: {
        answer: 'allowed',
        decided_by: { curb_policy_id: 'a', rule: 0 },
        max_stay: 120,
        no_return: 1440,
        rates: [{ rate: 150, rate_unit: 'hour' }],
      },
    })
  })

  it('is null if the search ends before a change, with the end of the search', () => {
    expect(decideParking({ start_date: noon + 401 * dayMs })).toMatchObject({
      until: null,
      next: null,
      searched_until: noon + 400 * dayMs,
    })
  })
})

test('A decision allows a use if a rule of the same priority permits only a lesser use', () => {
  const rules = compileRuleSet([
    policy('a', 1, [{ activity: 'loading' }]),
    policy('b', 1, [{ activity: 'parking', max_stay: 60 }]),
    policy('c', 2, [{ activity: 'parking' }]),
  ])
  const { uses } = describeSituation(rules, { ...car, at: toMs('2026-05-04', '12:00') })
  expect([uses.parking.answer, uses.parking.max_stay, uses.loading.answer]).toEqual([
    'allowed',
    60,
    'allowed',
  ])
  const rulesWithoutB = compileRuleSet([
    policy('a', 1, [{ activity: 'loading' }]),
    policy('c', 2, [{ activity: 'parking' }]),
  ])
  expect(describeSituation(rulesWithoutB, { ...car, at: toMs('2026-05-04', '12:00') }).state).toBe('loading')
})
