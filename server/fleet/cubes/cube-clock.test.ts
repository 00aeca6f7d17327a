import { expect, test } from 'vitest'
import { minuteMs } from '#contract/period.ts'
import { floorToHour, hourShift } from './cube-clock.ts'
import { findMonthStart } from './shape-sums-product.ts'

test.each([
  ['America/New_York', 0],
  ['UTC', 0],
  ['Australia/Adelaide', 30],
  ['Asia/Kathmandu', 45],
  ['America/St_Johns', 30],
])('The hours of %s begin %i minutes before those of UTC', (zone, shift) => {
  expect(hourShift(zone)).toBe(shift * minuteMs)
})

test('Hours start at half past in a zone with a half-hour offset', () => {
  const shift = hourShift('Australia/Adelaide')
  expect(new Date(floorToHour(Date.parse('2026-03-01T10:29:59.999Z'), shift)).toISOString()).toBe(
    '2026-03-01T09:30:00.000Z',
  )
  expect(new Date(floorToHour(Date.parse('2026-03-01T10:30:00Z'), shift)).toISOString()).toBe(
    '2026-03-01T10:30:00.000Z',
  )
})

test('A layer is filled month by month, newest first, and not before its first fact', () => {
  const from = Date.parse('2026-01-10T05:00:00Z')
  const steps: string[] = []
  for (let until = Date.parse('2026-03-02T07:00:00Z'); until > from;) {
    until = findMonthStart(until, from, 0)
    steps.push(new Date(until).toISOString())
  }
  expect(steps).toEqual(['2026-03-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-01-10T05:00:00.000Z'])
})

test('Months start at full hours of local time', () => {
  const shift = hourShift('Australia/Adelaide')
  const until = floorToHour(Date.parse('2026-03-02T07:45:00Z'), shift)
  const begin = findMonthStart(until, 0, shift)
  expect(new Date(begin).toISOString()).toBe('2026-02-28T23:30:00.000Z')
  expect(findMonthStart(begin, 0, shift)).toBeLessThan(begin)
})
