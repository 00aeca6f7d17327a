import { dayMs, hourMs } from '#contract/period.ts'

/** One local day in UTC: from midnight to midnight, with the UTC offsets before and after a clock change. */
export interface LocalDay {
  startMs: number
  endMs: number
  offsetBefore: number
  offsetAfter: number
  /** When the clock changes; the end of the day if it does not. */
  changeMs: number
}

/** Returns a function for local days of a time zone. It rarely calls Intl, which is slow. */
export function createLocalDays(timezone: string): (day: number) => LocalDay {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  const cache = new Map<number, LocalDay>()
  const offsetAt = (ms: number): number => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
    return Date.UTC(parts['year']!, parts['month']! - 1, parts['day']!, parts['hour']!, parts['minute']!) - ms
  }
  const midnight = (day: number): number => {
    const guess = day * dayMs - offsetAt(day * dayMs)
    return day * dayMs - offsetAt(guess)
  }
  return (day) => {
    const cached = cache.get(day)
    if (cached) return cached
    const startMs = midnight(day)
    const endMs = midnight(day + 1)
    const offsetBefore = offsetAt(startMs)
    const offsetAfter = offsetAt(endMs - hourMs)
    let changeMs = endMs
    if (offsetBefore !== offsetAfter) {
      for (changeMs = startMs; offsetAt(changeMs) === offsetBefore;) changeMs += hourMs / 4
    }
    const local = { startMs, endMs, offsetBefore, offsetAfter, changeMs }
    cache.set(day, local)
    return local
  }
}
