import { endOfDay, startOfDay } from '#contract/civil-clock.ts'
import { hourMs, type LocalDay } from '#contract/period.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the local hour of a time (ms). */
function getLocalHour(at: number, timezone: string): number {
  let format = formats.get(timezone)
  if (!format)
    formats.set(
      timezone,
      (format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, hour: '2-digit', hourCycle: 'h23' })),
    )
  return Number(format.format(at))
}

/** Clocks change by full or half hours, so each half hour from local midnight on is within one local hour. */
const stepMs = hourMs / 2
/** The maximum number of cached pairs of day and time zone. */
const maxCachedDays = 500

/** Caches results, which never change, for a few hundred days. */
function cacheByDay<Result>(
  compute: (day: LocalDay, timezone: string) => Result,
): (day: LocalDay, timezone: string) => Result {
  const cache = new Map<string, Result>()
  return (day, timezone) => {
    const key = `${day} ${timezone}`
    let result = cache.get(key)
    if (result === undefined) {
      if (cache.size > maxCachedDays) cache.clear()
      cache.set(key, (result = compute(day, timezone)))
    }
    return result
  }
}

/** Returns the start of a local day (ms), cached. */
export const getDayStart = cacheByDay(startOfDay)
/** Returns the end of a local day (ms), cached. */
export const getDayEnd = cacheByDay(endOfDay)

/** Returns the ends (ms) of a day's 24 local hours; null for a skipped hour. A repeated hour counts once. */
export const getHourEnds = cacheByDay((day, timezone): readonly (number | null)[] => {
  const ends = Array.from({ length: 24 }, (): number | null => null)
  const until = getDayEnd(day, timezone)
  for (let at = getDayStart(day, timezone); at < until; at += stepMs)
    ends[getLocalHour(at, timezone)] = Math.min(at + stepMs, until)
  return ends
})
