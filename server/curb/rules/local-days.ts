import { civilClock } from '#contract/civil-clock.ts'
import { dayFromNumber, dayMs, type LocalDay, minuteMs } from '#contract/period.ts'

/** The time zone of a region, and the local days of its designated periods by name, such as `holidays`. */
export interface CurbCalendar {
  timezone: string
  periods: ReadonlyMap<string, ReadonlySet<LocalDay>>
}

/** Returns the calendar of a region with its settings. */
export const createCurbCalendar = (
  timezone: string,
  designatedPeriods: Readonly<Record<string, readonly LocalDay[]>>,
): CurbCalendar => ({
  timezone,
  periods: new Map(Object.entries(designatedPeriods).map(([name, days]) => [name, new Set(days)])),
})

/** The properties of a local day on which time spans depend. Numbers are bit sets with one bit set. */
export interface DayFacts {
  day: LocalDay
  /** Bit 0 is Sunday. */
  weekday: number
  /** Bits 1 to 31. */
  dayOfMonth: number
  /** Bits 1 to 5. The first week is the first seven days of the month, so `mon` of week 2 is the second one. */
  weekOfMonth: number
  /** Bits 1 to 12. */
  month: number
}

/**
 * A part of a local day with a constant offset from UTC: the whole day, unless the offset changes on that
 * day. A local time that the clock shows twice is in two parts; one that it skips is in none.
 */
export interface DayPart {
  /** Milliseconds since 1970. */
  from: number
  until: number
  /** Local midnight by the offset of this part, ms. If the offset has changed since, no clock showed it. */
  midnight: number
  /** The day itself. */
  facts: DayFacts
  /** The previous day, on which spans that run overnight started. */
  previous: DayFacts
}

function describeDay(day: number): DayFacts {
  const date = new Date(day * dayMs)
  const dayOfMonth = date.getUTCDate()
  return {
    day: dayFromNumber(day),
    weekday: 1 << date.getUTCDay(),
    dayOfMonth: 1 << dayOfMonth,
    weekOfMonth: 1 << Math.ceil(dayOfMonth / 7),
    month: 1 << (date.getUTCMonth() + 1),
  }
}

/** Returns local time minus UTC at an instant, in ms. */
function getOffset(timezone: string, ms: number): number {
  const { day, seconds } = civilClock(timezone).local(ms)
  return day * dayMs + seconds * 1000 - Math.floor(ms / 1000) * 1000
}

/** Finds the first instant after `from` with another offset than at `from`, or else `until`. */
function findEndOfOffset(timezone: string, from: number, until: number): number {
  const offset = getOffset(timezone, from)
  for (let at = from; at < until; at += dayMs) {
    let same = at
    let other = Math.min(at + dayMs, until)
    if (getOffset(timezone, other) === offset) continue
    // Bisects the day of the change.
    while (other - same > 1) {
      const middle = Math.floor((same + other) / 2)
      if (getOffset(timezone, middle) === offset) same = middle
      else other = middle
    }
    return other
  }
  return until
}

/** Splits a range of instants into local days, at midnight and where the clock changes. */
export function listLocalDays(timezone: string, from: number, until: number): DayPart[] {
  const parts: DayPart[] = []
  let lastDay = NaN
  for (let start = from; start < until;) {
    const end = findEndOfOffset(timezone, start, until)
    const offset = getOffset(timezone, start)
    for (let day = Math.floor((start + offset) / dayMs); day * dayMs - offset < end; day++) {
      const midnight = day * dayMs - offset
      parts.push({
        from: Math.max(start, midnight),
        until: Math.min(end, midnight + dayMs),
        midnight,
        facts: describeDay(day),
        previous: lastDay === day - 1 ? parts.at(-1)!.facts : describeDay(day - 1),
      })
      lastDay = day
    }
    start = end
  }
  return parts
}

/** Returns the instant of a local time (minutes after midnight), limited to the part. */
export const findInstant = (part: DayPart, minutes: number): number =>
  Math.min(Math.max(part.midnight + minutes * minuteMs, part.from), part.until)
