import { expect, test } from 'vitest'
import type { CdsPolicy } from '#contract/cds.ts'
import { describeWeek } from './week-in-words.ts'

const car = { userClasses: ['car'], purposes: [], timezone: 'America/Los_Angeles', periods: new Map() }
const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri'] as const
const rushHour: CdsPolicy = {
  curb_policy_id: 'rush',
  published_date: 0,
  priority: 1,
  rules: [{ activity: 'no stopping' }],
  time_spans: [{ days_of_week: [...weekdays], time_of_day_start: '07:00', time_of_day_end: '09:00' }],
}
const meters: CdsPolicy = {
  curb_policy_id: 'meters',
  published_date: 0,
  priority: 2,
  rules: [
    {
      activity: 'parking',
      max_stay: 2,
      max_stay_unit: 'hour',
      rate: [{ rate: 150, rate_unit: 'hour', increment_duration: 1 }],
    },
  ],
  time_spans: [
    { days_of_week: [...weekdays], time_of_day_start: '07:00', time_of_day_end: '18:00' },
    { days_of_week: ['sat'], time_of_day_start: '09:00', time_of_day_end: '18:00' },
  ],
}
const buses: CdsPolicy = {
  curb_policy_id: 'buses',
  published_date: 0,
  priority: 0,
  rules: [{ activity: 'stopping', user_classes: ['bus'] }],
  time_spans: [{ days_of_week: ['sun'], time_of_day_start: '22:00', time_of_day_end: '02:00' }],
}

/** Returns the lines of a week as text, such as `12345 09:00-18:00 paid_parking 120 150/hour`. */
const formatWeek = (policies: CdsPolicy[], day: string): string[] =>
  describeWeek(policies, car, day).lines.map(({ days, from, until, state, max_stay, rates, user_classes }) =>
    [
      days.join(''),
      `${from}-${until}`,
      state,
      max_stay,
      ...rates.map(({ rate, unit }) => `${rate}/${unit}`),
      ...user_classes,
    ]
      .filter((value) => value !== null)
      .join(' '),
  )

test('A week in words combines days with the same lines, and fills in the fields of each line', () => {
  expect(formatWeek([meters, rushHour, buses], '2026-05-06')).toEqual([
    '1 00:00-02:00 reserved bus',
    '1 02:00-07:00 not_regulated',
    '1 07:00-09:00 no_stopping',
    '1 09:00-18:00 paid_parking 120 150/hour',
    '1 18:00-24:00 not_regulated',
    '2345 00:00-07:00 not_regulated',
    '2345 07:00-09:00 no_stopping',
    '2345 09:00-18:00 paid_parking 120 150/hour',
    '2345 18:00-24:00 not_regulated',
    '6 00:00-09:00 not_regulated',
    '6 09:00-18:00 paid_parking 120 150/hour',
    '6 18:00-24:00 not_regulated',
    '7 00:00-22:00 not_regulated',
    '7 22:00-24:00 reserved bus',
  ])
})

test('A week in words shows local clock times, also in a week in which the clock changes, and local dates', () => {
  const friday = Date.parse('2026-03-06T08:00:00Z')
  const endingBan = {
    ...rushHour,
    time_spans: [{ ...rushHour.time_spans![0], end_date: friday }, { days_of_week: ['sun' as const] }],
  }
  expect(formatWeek([endingBan], '2026-03-08')).toEqual([
    '1234 00:00-07:00 not_regulated',
    '1234 07:00-09:00 no_stopping',
    '1234 09:00-24:00 not_regulated',
    '56 00:00-24:00 not_regulated',
    '7 00:00-24:00 no_stopping',
  ])
})

test('A week in words lists the rates of a line by parts of the stay', () => {
  const [rate] = describeWeek([meters], car, '2026-05-06').lines[1]!.rates
  expect(rate).toEqual({
    rate: 150,
    unit: 'hour',
    is_calendar: false,
    from: 0,
    until: null,
    step: 60,
    maximum_fee: null,
  })
})
