import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber, localDay } from '#contract/period.ts'
import type { FleetQuestion } from './fleet-question.ts'

/** Seconds after midnight of HH:MM. */
const secondsOf = (text: string): number => Number(text.slice(0, 2)) * 3600 + Number(text.slice(3, 5)) * 60

/**
 * The operating hours within the requested time, day by day, as half-open ranges of ms. Hours that end before they begin run into the next
 * day; the same at both ends: the whole day.
 */
export function operatingPeriods({
  from,
  until,
  timezone,
  operatingFrom,
  operatingUntil,
}: Pick<FleetQuestion, 'from' | 'until' | 'timezone' | 'operatingFrom' | 'operatingUntil'>): [
  number,
  number,
][] {
  const first = dayNumber(localDay(new Date(from), timezone)) - 1
  const last = dayNumber(localDay(new Date(until), timezone))
  const clock = civilClock(timezone)
  const [opensAt, shutsAt] = [secondsOf(operatingFrom), secondsOf(operatingUntil)]
  const found: [number, number][] = []
  for (let day = first; day <= last; day++) {
    const opens = clock.instant(day, opensAt).ms
    const shuts = clock.instant(shutsAt > opensAt ? day : day + 1, shutsAt).ms
    const range: [number, number] = [Math.max(opens, from), Math.min(shuts, until)]
    if (range[1] > range[0]) found.push(range)
  }
  return found
}
