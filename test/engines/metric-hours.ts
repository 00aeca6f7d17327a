import { civilClock, startOfDay } from '#contract/civil-clock.ts'
import type { MetricsQuestion } from '#contract/metrics.ts'
import { dayFromNumber, dayNumber, getWeekday, hourMs, hoursOfRange } from '#contract/period.ts'

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
  for (let at = dayNumber(question.start_date); at <= dayNumber(question.end_date); at++) {
    const name = dayFromNumber(at)
    if (question.days.length && !question.days.includes(getWeekday(name))) continue
    const end = Math.min(startOfDay(dayFromNumber(at + 1), timezone), now)
    for (let from = startOfDay(name, timezone); from < end; from += hourMs)
      if (selectedHours.has(clock.local(from).hour))
        hours.push({ day: name, hour: clock.local(from).hour, from, until: Math.min(from + hourMs, end) })
  }
  return hours
}

/** Rounds values, because sums of many fractions differ in their last digits. */
export const roundFigure = (value: number | null): number | null =>
  value === null ? null : Number(value.toPrecision(12))
