import { type LocalDay, dayNumber, dayFromNumber } from '#contract/period.ts'
import { startOfDay } from '#contract/civil-clock.ts'
import { hourMs, type Span } from './span.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** The local hour of a moment (ms). */
function localHour(at: number, zone: string): number {
  let format = formats.get(zone)
  if (!format)
    formats.set(
      zone,
      (format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' })),
    )
  return Number(format.format(at))
}

/** Clocks change by full or half hours. */
const stepMs = hourMs / 2

/** Caches the results of the last few hundred days, which never change. */
function cached<Found>(find: (day: LocalDay, zone: string) => Found): (day: LocalDay, zone: string) => Found {
  const known = new Map<string, Found>()
  return (day, zone) => {
    const key = `${day} ${zone}`
    let found = known.get(key)
    if (found === undefined) {
      if (known.size > 500) known.clear()
      known.set(key, (found = find(day, zone)))
    }
    return found
  }
}

/** The first moment of a local day (ms). */
export const dayStart = cached(startOfDay)

/** The end of each local hour of a day (ms), 24 entries; null if the clock skips the hour. A repeated hour counts as one. */
export const hourEnds = cached((day, zone): readonly (number | null)[] => {
  const ends = Array.from({ length: 24 }, (): number | null => null)
  const until = dayStart(dayAfter(day), zone)
  for (let at = dayStart(day, zone); at < until; at += stepMs)
    ends[localHour(at, zone)] = Math.min(at + stepMs, until)
  return ends
})

export function dayAfter(day: LocalDay, days = 1): LocalDay {
  return dayFromNumber(dayNumber(day) + days)
}

/** The days from one to another, both included. */
export const daysBetween = (first: LocalDay, last: LocalDay): LocalDay[] =>
  Array.from({ length: Math.max(0, dayNumber(last) - dayNumber(first) + 1) }, (_, at) => dayAfter(first, at))

/** The time range of some local days. */
export const spanOfDays = (regionId: string, first: LocalDay, last: LocalDay, zone: string): Span => ({
  regionId,
  from: dayStart(first, zone),
  until: dayStart(dayAfter(last), zone),
})
