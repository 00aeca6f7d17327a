import { expect, test } from 'vitest'
import { civilClock } from '#contract/civil-clock.ts'
import { isPlausibleTime, readMoment } from './read-moment.ts'

const clock = civilClock('America/New_York')
test.each([
  ['2026-07-01T10:00:00Z', '2026-07-01T10:00:00Z'],
  ['2026-07-01T10:00:00.123+02:00', '2026-07-01T08:00:00.123Z'],
  ['2026/07/01 10:00:00+00', '2026-07-01T10:00:00Z'],
  ['2026-07-01 10:00:00 UTC', '2026-07-01T10:00:00Z'],
  ['2026-07-01T10:00:00.000', '2026-07-01T14:00:00Z'],
  ['07/01/2026 10:15:30 PM', '2026-07-02T02:15:30Z'],
  ['7/1/2026', '2026-07-01T04:00:00Z'],
  ['2026-07-01', '2026-07-01T04:00:00Z'],
  ['1786158086000', '2026-08-08T03:01:26Z'],
  ['1786158086', '2026-08-08T03:01:26Z'],
  ['1786158086000.0', '2026-08-08T03:01:26Z'],
  ['2026-02-30', null],
  ['yesterday', null],
  ['', null],
  ['13/13/2026', null],
  ['17861580', null],
])('%j is %s', (text, moment) => expect(readMoment(text, 'mdy', clock)).toBe(moment && Date.parse(moment)))

test('isPlausibleTime recognizes plausible times', () =>
  expect(
    ['1989-12-31', '1990-01-01', '2099-12-31', '2100-01-01'].map((day) => isPlausibleTime(Date.parse(day))),
  ).toEqual([false, true, true, false]))
