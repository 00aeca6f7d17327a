// The local time of a time zone, computed with Intl only, independent of the server's implementation.
import { dayMs, minuteMs } from '#contract/period.ts'

/** Clocks change at full quarters of an hour of UTC. */
const quarterMs = 15 * minuteMs

export interface PlainClock {
  /** The local day (days since 1970) and the seconds since its midnight of an instant (ms). */
  shows(ms: number): { day: number; seconds: number }
  /** The first instant (ms) with a local time. A skipped time counts as if the clock had not changed. */
  at(day: number, seconds: number): number
  /** Milliseconds by which the clock is ahead of UTC at an instant (ms). */
  offset(ms: number): number
}

const clocks = new Map<string, PlainClock>()

export function plainClock(zone: string): PlainClock {
  const cached = clocks.get(zone)
  if (cached) return cached
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const offsets = new Map<number, number>()
  function getOffset(ms: number): number {
    const quarterStart = Math.floor(ms / quarterMs) * quarterMs
    let result = offsets.get(quarterStart)
    if (result === undefined) {
      const parts = Object.fromEntries(
        format.formatToParts(quarterStart).map(({ type, value }) => [type, Number(value)]),
      )
      result =
        Date.UTC(
          parts['year'] ?? 0,
          (parts['month'] ?? 1) - 1,
          parts['day'],
          parts['hour'],
          parts['minute'],
          parts['second'],
        ) - quarterStart
      offsets.set(quarterStart, result)
    }
    return result
  }
  const clock: PlainClock = {
    offset: getOffset,
    shows(ms) {
      const local = ms + getOffset(ms)
      const day = Math.floor(local / dayMs)
      return { day, seconds: Math.floor((local - day * dayMs) / 1000) }
    },
    at(day, seconds) {
      const local = day * dayMs + seconds * 1000
      // The offsets before and after a change on this day. Offsets are at most 14 hours.
      const [before, after] = [getOffset(local - 1.5 * dayMs), getOffset(local + 1.5 * dayMs)]
      const shown = [local - before, local - after].filter((ms) => ms + getOffset(ms) === local)
      return shown.length ? Math.min(...shown) : local - before
    },
  }
  clocks.set(zone, clock)
  return clock
}

/** Returns the seconds since midnight of HH:MM or HH:MM:SS. */
export const parseSeconds = (text: string): number =>
  text.split(':').reduce((sum, part, index) => sum + Number(part) * ([3600, 60, 1][index] ?? 0), 0)
