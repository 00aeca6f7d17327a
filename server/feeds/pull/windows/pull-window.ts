import { dayMs, hourMs, localDay } from '#contract/period.ts'
import { startOfDay } from '#contract/civil-clock.ts'
import type { PullWindow, Stream } from '../../adapters/adapter.ts'

/** Adds days to a date `YYYY-MM-DD`. */
const addUtcDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
/** Returns the first day of the month `months` after that of `day`. */
const addMonths = (day: string, months: number): string => {
  const date = new Date(Date.parse(day))
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)).toISOString().slice(0, 10)
}

/** Returns the UTC hour, local day or local month that contains a time (ms); null for continuous streams. */
export function pullWindowAt(window: Stream['window'], at: number, timezone: string): PullWindow | null {
  if (window === 'hour') {
    const from = Math.floor(at / hourMs) * hourMs
    return { from, until: from + hourMs }
  }
  if (window !== 'day' && window !== 'month') return null
  const today = localDay(new Date(at), timezone)
  const firstDay = window === 'day' ? today : addMonths(today, 0)
  const nextDay = window === 'day' ? addUtcDays(firstDay, 1) : addMonths(firstDay, 1)
  return { from: startOfDay(firstDay, timezone), until: startOfDay(nextDay, timezone) }
}

/** Yields all pull windows from the one that contains `from` to the last one that has ended at `until`. */
export function* pullWindowsBetween(
  window: Stream['window'],
  from: number,
  until: number,
  timezone: string,
): Generator<PullWindow> {
  for (
    let pullWindow = pullWindowAt(window, from, timezone);
    pullWindow && pullWindow.until <= until;
    pullWindow = pullWindowAt(window, pullWindow.until, timezone)
  )
    yield pullWindow
}

/** The start of a continuous stream's only pull window, which is before all others. */
export const continuousStart = 0
