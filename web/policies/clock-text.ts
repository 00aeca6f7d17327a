import { isOvernight, sentEndTime, sentStartTime } from '#contract/policy-types/policy-times.ts'
import { formatTimeRange, parseClock, type TimeOfDay } from '#web/kit/time/time-of-day.ts'

/** Parses a time such as `08:30:00`; null remains null. */
export const parseOptionalClock = (clock: string | null): TimeOfDay | null =>
  clock === null ? null : parseClock(clock)

/** Returns a time of day as stored in policies. Midnight is null, including 24:00, the end of the day. */
export function toClock(time: TimeOfDay | null): string | null {
  if (time === null) return null
  const padTwo = (value: number): string => String(value).padStart(2, '0')
  const clock = `${padTwo(time.hour % 24)}:${padTwo(time.minute % 60)}:00`
  return clock === '00:00:00' ? null : clock
}

/** Formats the daily time window as text; midnight means no bound. */
export const formatTimeWindow = (start: string | null, end: string | null): string =>
  formatTimeRange(parseOptionalClock(sentStartTime(start)), parseOptionalClock(sentEndTime(end)))

/** Whether a rule ends on the day after it starts. */
export const runsOvernight = (start: string | null, end: string | null): boolean =>
  isOvernight(sentStartTime(start), sentEndTime(end))
