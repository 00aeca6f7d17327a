import { expect, test } from 'vitest'
import { civilClock } from '#contract/civil-clock.ts'
import { hourMs } from '#contract/period.ts'
import type { Window } from '../../rule.ts'
import { findOpenTimes } from './open-times.ts'

const clock = civilClock('America/New_York')
const openHours = (window: Partial<Window>, midnight: number, hours: number): [number, number][] =>
  findOpenTimes(
    { days: null, from: 0, to: 86_400, ...window },
    clock,
    midnight,
    midnight + hours * hourMs,
  ).map(({ from, until }) => [(from - midnight) / hourMs, (until - midnight) / hourMs])

test('A window is open with a precision of seconds, and over midnight on the day on which it began', () => {
  // Midnight of a Saturday.
  const midnight = Date.UTC(2026, 6, 4, 4)
  expect(openHours({}, midnight, 24)).toEqual([[0, 24]])
  expect(openHours({ from: 6 * 3600 + 36, to: 7 * 3600 }, midnight, 24)).toEqual([[6.01, 7]])
  expect(openHours({ from: 22 * 3600, to: 2 * 3600 }, midnight, 24)).toEqual([
    [0, 2],
    [22, 24],
  ])
  expect(openHours({ from: 22 * 3600, to: 2 * 3600, days: new Set(['sat']) }, midnight, 24)).toEqual([
    [22, 24],
  ])
  expect(openHours({ from: 22 * 3600, to: 2 * 3600, days: new Set(['fri']) }, midnight, 24)).toEqual([[0, 2]])
  expect(openHours({ days: new Set(['sun']) }, midnight, 24)).toEqual([])
  expect(openHours({ from: 7 * 3600, to: 7 * 3600 }, midnight, 24)).toEqual([[0, 24]])
})

test('A window follows the local clock when an hour is repeated or skipped', () => {
  expect(openHours({ from: 5400, to: 7200 }, Date.UTC(2026, 10, 1, 4), 25)).toEqual([
    [1.5, 2],
    [2.5, 3],
  ])
  expect(openHours({ from: 5400, to: 9000 }, Date.UTC(2026, 2, 8, 5), 23)).toEqual([[1.5, 2]])
  expect(openHours({ from: 9000, to: 12_600 }, Date.UTC(2026, 2, 8, 5), 23)).toEqual([[2, 2.5]])
})
