import type { TimePeriod } from '#contract/fleet-figures.ts'
import { dayNumber, dayOfNumber, type LocalDay, startOfMonth, weekdayOf } from '#contract/period.ts'

/** A day, week or month, cut to the asked days: both ends included. */
export interface Period {
  start: LocalDay
  end: LocalDay
}

const lastOf = (day: LocalDay, period: TimePeriod): LocalDay =>
  period === 'day'
    ? day
    : period === 'week'
      ? dayOfNumber(dayNumber(day) + 7 - weekdayOf(day))
      : dayOfNumber(dayNumber(startOfMonth(day, -1)) - 1)

/** The pieces of the days from first to last; where there are more than `most`, one more than that. */
export function periodsOf(first: LocalDay, last: LocalDay, period: TimePeriod, most: number): Period[] {
  const found: Period[] = []
  for (let start = first; start <= last && found.length <= most;) {
    const end = lastOf(start, period)
    found.push({ start, end: end < last ? end : last })
    start = dayOfNumber(dayNumber(end) + 1)
  }
  return found
}
