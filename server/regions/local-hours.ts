import { endOfDay, startOfDay } from '#contract/civil-clock.ts'
import { hourMs, type LocalDay } from '#contract/period.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the local hour of a time (ms). */
function getLocalHour(at: number, zone: string): number {
  let format = formats.get(zone)
  if (!format)
    formats.set(
      zone,
      (format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' })),
    )
  return Number(format.format(at))
}

/** Time zones have offsets of full or half hours as far as clock changes are concerned. */
const stepMs = hourMs / 2

/** Caches results, which never change, for a few hundred days. */
function cacheByDay<Result>(
  compute: (day: LocalDay, zone: string) => Result,
): (day: LocalDay, zone: string) => Result {
  const cache = new Map<string, Result>()
  return (day, zone) => {
    const key = `${day} ${zone}`
    let result = cache.get(key)
    if (result === undefined) {
      if (cache.size > 500) cache.clear()
      cache.set(key, (result = compute(day, zone)))
    }
    return result
  }
}

/** Returns the start of a local day (ms), cached. */
export const dayStart = cacheByDay(startOfDay)
/** Returns the end of a local day (ms), cached. */
export const dayEnd = cacheByDay(endOfDay)

/** Returns the ends (ms) of a day's 24 local hours; null for a skipped hour. A repeated hour counts once. */
export const hourEnds = cacheByDay((day, zone): readonly (number | null)[] => {
  const ends = Array.from({ length: 24 }, (): number | null => null)
  const until = dayEnd(day, zone)
  for (let at = dayStart(day, zone); at < until; at += stepMs)
    ends[getLocalHour(at, zone)] = Math.min(at + stepMs, until)
  return ends
})
