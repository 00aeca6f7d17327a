import { civilClock, startOfDay } from '#contract/civil-clock.ts'
import type { MetricsQuestion } from '#contract/metrics.ts'
import { dayFromNumber, dayNumber, getWeekday, hourMs, hoursOfRange } from '#contract/period.ts'

/** An hour that starts on a local day; `hour` is the local hour from 0 to 23. Times are in milliseconds. */
export interface Hour {
  day: string
  hour: number
  from: number
  until: number
}

/** Lists the hours of a question that have begun, with their keys by dimension. */
export function listHours(
  question: Pick<MetricsQuestion, 'start_date' | 'end_date' | 'days' | 'hour_filters'>,
  timezone: string,
  now: number,
): Hour[] {
  const clock = civilClock(timezone)
  const selectedHours = new Set(hoursOfRange(question.hour_filters))
  const hours: Hour[] = []
  for (let number = dayNumber(question.start_date); number <= dayNumber(question.end_date); number++) {
    const day = dayFromNumber(number)
    if (question.days.length && !question.days.includes(getWeekday(day))) continue
    const end = Math.min(startOfDay(dayFromNumber(number + 1), timezone), now)
    for (let from = startOfDay(day, timezone); from < end; from += hourMs)
      if (selectedHours.has(clock.local(from).hour))
        hours.push({ day, hour: clock.local(from).hour, from, until: Math.min(from + hourMs, end) })
  }
  return hours
}

/** Rounds values, because sums of many fractions differ in their last digits. */
export const roundFigure = (value: number | null): number | null =>
  value === null ? null : Number(value.toPrecision(12))
