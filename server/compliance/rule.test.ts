import { expect, test } from 'vitest'
import { civilClock } from '#contract/civil-clock.ts'
import type { MdsDay } from '#contract/mds-policy.ts'
import { isInWindow } from './rule.ts'

const newYork = civilClock('America/New_York')
const hours = (from: number, to: number, days: MdsDay[] | null = null) => ({
  from: from * 3600,
  to: to * 3600,
  days: days && new Set(days),
})
const parseTime = (text: string): number => Date.parse(text)

test('A window opens at its first second and closes at its last', () => {
  const window = hours(9, 17)
  expect(
    [
      '2026-07-01T08:59:59-04:00',
      '2026-07-01T09:00:00-04:00',
      '2026-07-01T16:59:59-04:00',
      '2026-07-01T17:00:00-04:00',
    ].map((text) => isInWindow(window, newYork, parseTime(text))),
  ).toEqual([false, true, true, false])
})

test('A window runs over midnight for the day on which it began', () => {
  // Friday, July 3, 2026, and the following Saturday.
  const window = hours(22, 2, ['fri'])
  const open = [
    '2026-07-03T01:00:00-04:00',
    '2026-07-03T21:59:59-04:00',
    '2026-07-03T22:00:00-04:00',
    '2026-07-04T01:59:59-04:00',
    '2026-07-04T02:00:00-04:00',
    '2026-07-04T22:00:00-04:00',
  ]
  expect(open.map((text) => isInWindow(window, newYork, parseTime(text)))).toEqual([
    false,
    false,
    true,
    true,
    false,
    false,
  ])
})

test('A window lasts the whole day if start and end are equal, and can end at 24:00', () => {
  for (const window of [hours(0, 24), hours(0, 0), hours(6, 6)])
    expect(
      [0, 5, 6, 23].map((hour) =>
        isInWindow(window, newYork, parseTime(`2026-07-01T${String(hour).padStart(2, '0')}:30:00-04:00`)),
      ),
    ).toEqual([true, true, true, true])
})

test('A window follows the local clock through both clock changes', () => {
  // March 8: 01:59 is followed by 03:00. November 1: 01:30 is repeated.
  expect(
    [parseTime('2026-03-08T01:59:59-05:00'), parseTime('2026-03-08T03:00:00-04:00')].map((moment) =>
      isInWindow(hours(2, 3), newYork, moment),
    ),
  ).toEqual([false, false])
  expect(
    [parseTime('2026-11-01T01:30:00-04:00'), parseTime('2026-11-01T01:30:00-05:00')].map((moment) =>
      isInWindow(hours(1, 2), newYork, moment),
    ),
  ).toEqual([true, true])
  // Sunday begins at midnight, also on the day with 25 hours.
  expect(isInWindow(hours(0, 24, ['sun']), newYork, parseTime('2026-11-01T23:59:59-05:00'))).toBe(true)
  expect(isInWindow(hours(0, 24, ['sun']), newYork, parseTime('2026-11-02T00:00:00-05:00'))).toBe(false)
})

test('Weekdays are right before 1970 and in zones with half-hour offsets', () => {
  expect(isInWindow(hours(0, 24, ['wed']), civilClock('UTC'), parseTime('1969-12-31T12:00:00Z'))).toBe(true)
  const kolkata = civilClock('Asia/Kolkata')
  expect(
    [parseTime('2026-07-01T05:59:59+05:30'), parseTime('2026-07-01T06:00:00+05:30')].map((moment) =>
      isInWindow(hours(6, 7), kolkata, moment),
    ),
  ).toEqual([false, true])
})
