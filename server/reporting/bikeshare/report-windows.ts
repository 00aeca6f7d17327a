import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber, type LocalDay } from '#contract/period.ts'
import type { Window } from '#server/fleet/stations/station-query.ts'

const secondsPerDay = 86_400
/** Returns seconds after midnight of a time of day such as `06:30`. */
const toSeconds = (time: string): number => Number(time.slice(0, 2)) * 3600 + Number(time.slice(3)) * 60

/**
 * Returns the window of each local day of a period (ms), at most until now. `day` counts from 0 at the first
 * day. A window is one span of time: on the day when clocks are set back, a window that ends in the repeated
 * hour ends in its first occurrence.
 */
export function makeReportWindows(
  { start_date, end_date }: { start_date: LocalDay; end_date: LocalDay },
  { from, until }: { from: string; until: string },
  timezone: string,
  now: number,
): Window[] {
  const clock = civilClock(timezone)
  const firstDay = dayNumber(start_date)
  return Array.from({ length: dayNumber(end_date) - firstDay + 1 }, (_, day): Window => {
    const untilSeconds = toSeconds(until)
    const end =
      untilSeconds === secondsPerDay
        ? clock.instant(firstDay + day + 1, 0).ms
        : clock.instant(firstDay + day, untilSeconds).ms
    return { day, from: clock.instant(firstDay + day, toSeconds(from)).ms, until: Math.min(end, now) }
  }).filter((window) => window.until > window.from)
}
