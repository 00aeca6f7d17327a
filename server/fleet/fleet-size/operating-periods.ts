import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber, localDay } from '#contract/period.ts'
import type { FleetQuestion } from './fleet-question.ts'

/** Converts HH:MM to seconds after midnight. */
const toSecondsOfDay = (text: string): number =>
  Number(text.slice(0, 2)) * 3600 + Number(text.slice(3, 5)) * 60

/**
 * Lists the operating hours within a time range, one half-open range (ms) per day. Hours that end before they
 * begin continue into the next day. If both ends are equal, a period lasts a day.
 */
export function listOperatingPeriods({
  from,
  until,
  timezone,
  operatingFrom,
  operatingUntil,
}: Pick<FleetQuestion, 'from' | 'until' | 'timezone' | 'operatingFrom' | 'operatingUntil'>): [
  number,
  number,
][] {
  // Hours that began on the day before may last into the range.
  const firstDay = dayNumber(localDay(new Date(from), timezone)) - 1
  const lastDay = dayNumber(localDay(new Date(until), timezone))
  const clock = civilClock(timezone)
  const opening = toSecondsOfDay(operatingFrom)
  const closing = toSecondsOfDay(operatingUntil)
  const periods: [number, number][] = []
  for (let day = firstDay; day <= lastDay; day++) {
    const opens = Math.max(clock.instant(day, opening).ms, from)
    const closes = Math.min(clock.instant(closing > opening ? day : day + 1, closing).ms, until)
    if (closes > opens) periods.push([opens, closes])
  }
  return periods
}
