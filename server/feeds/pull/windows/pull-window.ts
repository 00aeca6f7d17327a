import { dayMs, hourMs, localDay } from '#contract/period.ts'
import type { PullWindow, Stream } from '../../adapters/adapter.ts'
import { startOfDay } from '#contract/civil-clock.ts'

const addUtcDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
/** Returns the first day of the month `months` after that of `day`. */
const addMonths = (day: string, months: number): string => {
  const date = new Date(Date.parse(day))
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)).toISOString().slice(0, 10)
}

/**
 * Returns the pull window that contains a time (ms): a UTC hour, or a local day or month; null for continuous
 * streams.
 */
export function pullWindowAt(window: Stream['window'], at: number, timezone: string): PullWindow | null {
  if (window === 'hour') {
    const from = Math.floor(at / hourMs) * hourMs
    return { from, until: from + hourMs }
  }
  if (window !== 'day' && window !== 'month') return null
  const today = localDay(new Date(at), timezone)
  const first = window === 'day' ? today : addMonths(today, 0)
  const next = window === 'day' ? addUtcDays(first, 1) : addMonths(first, 1)
  return { from: startOfDay(first, timezone), until: startOfDay(next, timezone) }
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

/** The start of the single pull window of a continuous stream. */
export const continuousStart = 0
