import { addDays, dayMs, hourMs, type LocalDay } from './period.ts'

/** A local time as an instant. `skipped`: the clock never showed it. `repeatedMs`: the later of two. */
export interface Instant {
  ms: number
  skipped: boolean
  repeatedMs: number | null
}

export interface CivilClock {
  /** Instant of seconds after local midnight of a day number (days since 1970-01-01). */
  instant(day: number, seconds: number): Instant
  /** Local day number, hour and seconds after midnight of an instant (epoch ms), as the clock shows them. */
  local(ms: number): { day: number; hour: number; seconds: number }
}

/** Clocks by zone. They are expensive to create, and each caches the UTC offsets of days. */
const clocks = new Map<string, CivilClock>()

/** Returns the first instant of a local day (ms since 1970): midnight, unless the clock skipped it. */
export function startOfDay(day: string, zone: string): number {
  return civilClock(zone).instant(Date.parse(day) / dayMs, 0).ms
}

/** Returns the first instant after a local day, in ms since 1970. */
export const endOfDay = (day: LocalDay, zone: string): number => startOfDay(addDays(day, 1), zone)

/**
 * Converts between local civil time and instants of a time zone. A skipped time moves forward by the skipped
 * span (02:30 on a spring change becomes 03:30); a repeated time means its first occurrence, and `repeatedMs`
 * is the second one. This is the disambiguation `compatible` of Temporal (ECMA-262).
 */
export function civilClock(zone: string): CivilClock {
  let clock = clocks.get(zone)
  if (!clock) clocks.set(zone, (clock = createClock(zone)))
  return clock
}

function createClock(zone: string): CivilClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  /** Returns local minus UTC, in ms, at an instant. */
  const getOffset = (ms: number): number => {
    const parts: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(ms))
      if (type !== 'literal') parts[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000
  }
  // UTC offsets one day before and one day after each UTC day. If they are equal, as on almost every day,
  // there is no change of the clock in between and no search is needed.
  const offsets = new Map<number, { before: number; after: number }>()
  const getOffsetsAround = (day: number): { before: number; after: number } => {
    let cached = offsets.get(day)
    if (!cached)
      offsets.set(
        day,
        (cached = { before: getOffset((day - 1) * dayMs), after: getOffset((day + 2) * dayMs) }),
      )
    return cached
  }
  return {
    instant(day, seconds) {
      const wallMs = day * dayMs + seconds * 1000
      const { before, after } = getOffsetsAround(day)
      if (before === after) return { ms: wallMs - before, skipped: false, repeatedMs: null }
      const valid = [wallMs - before, wallMs - after]
        .filter((ms) => getOffset(ms) === wallMs - ms)
        .sort((a, b) => a - b)
      const [first, second] = valid
      if (first === undefined) return { ms: wallMs - before, skipped: true, repeatedMs: null }
      return {
        ms: first,
        skipped: false,
        repeatedMs: second !== undefined && second !== first ? second : null,
      }
    },
    local(ms) {
      const { before, after } = getOffsetsAround(Math.floor(ms / dayMs))
      const wallMs = ms + (before === after ? before : getOffset(ms))
      const day = Math.floor(wallMs / dayMs)
      return {
        day,
        hour: Math.floor((wallMs - day * dayMs) / hourMs),
        seconds: Math.floor((wallMs - day * dayMs) / 1000),
      }
    },
  }
}
