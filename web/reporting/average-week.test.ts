import { expect, it } from 'vitest'
import { averageKnownWeek, averageWeek } from './average-week.ts'

const row = (day: number, hour: number, trips: number) => ({
  keys: [String(day), String(hour)],
  values: [trips],
})
/** March 2, 2026 is a Monday. */
const period = (start_date: string, end_date: string, rows: ReturnType<typeof row>[]) => ({
  start_date,
  end_date,
  rows,
  totals: [0],
})

it('divides by the number of days, so that five Mondays and four Tuesdays are comparable', () => {
  const response = {
    period: period('2026-03-02', '2026-03-30', [row(1, 8, 50), row(2, 8, 40)]),
    unfinished_day: null,
    newest_fact: '2026-03-31T03:00:00.000Z',
  }
  const week = averageWeek(response, 'America/New_York')
  expect([week[0]![8], week[1]![8], week[2]![8]]).toEqual([10, 10, 0])
})

it('counts the elapsed part of the unfinished day', () => {
  const response = {
    // Two Mondays; the second one is at 10:30 in New York.
    period: period('2026-03-09', '2026-03-16', [row(1, 9, 20), row(1, 10, 15), row(1, 11, 10)]),
    unfinished_day: '2026-03-16',
    newest_fact: '2026-03-16T14:30:00.000Z',
  }
  const [monday] = averageWeek(response, 'America/New_York')
  expect([monday![9], monday![10], monday![11]]).toEqual([10, 10, 10])
})

it('has no values for weekdays outside of the period', () => {
  const response = {
    period: period('2026-03-02', '2026-03-02', [row(1, 8, 3)]),
    unfinished_day: null,
    newest_fact: null,
  }
  const week = averageWeek(response, 'America/New_York')
  expect(week.map((hours) => hours[8])).toEqual([3, null, null, null, null, null, null])
})

it('ignores days after the newest fact of a late source, and selects a value', () => {
  const response = {
    // Two complete Mondays; the third has no data yet.
    period: { ...period('2026-03-02', '2026-03-16', []), rows: [{ keys: ['1', '8'], values: [99, 12] }] },
    newest: '2026-03-12T16:00:00.000Z',
  }
  const week = averageKnownWeek(response, 'America/New_York', 1)
  expect([week[0]![8], week[3]![8], week[3]![20]]).toEqual([6, 0, 0])
  expect(averageKnownWeek({ ...response, newest: null }, 'America/New_York', 1)[0]![8]).toBeNull()
})
