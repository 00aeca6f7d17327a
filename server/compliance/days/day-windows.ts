import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber, dayFromNumber, type LocalDay, getWeekday } from '#contract/period.ts'
import { isOvernight, sentEndTime } from '#contract/policy-types/policy-times.ts'
import type { DayRule } from './day-rule.ts'

/** The time in which a rule applies on a local day, ms, half open. */
export interface DayWindow {
  day: LocalDay
  from: number
  until: number
  /** The reason why the window is empty (`from` = `until`); null if it is not. */
  emptyReason: 'not_in_force' | 'not_on_this_day' | 'no_feed' | null
}

/** Converts a time of day such as `09:30:00` to seconds. */
const parseSeconds = (text: string): number =>
  text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)

/**
 * Returns the windows of a range of local days, limited to the time in force. A window over midnight belongs
 * to the day on which it starts (docs/metrics.md, decision 5).
 */
export function makeDayWindows(
  { policy, from: inForceFrom, until: inForceUntil }: Pick<DayRule, 'policy' | 'from' | 'until'>,
  first: LocalDay,
  last: LocalDay,
  timezone: string,
): DayWindow[] {
  const clock = civilClock(timezone)
  const endTime = sentEndTime(policy.end_time)
  const startSeconds = policy.start_time === null ? 0 : parseSeconds(policy.start_time)
  const endSeconds = endTime === null ? 0 : parseSeconds(endTime)
  const endsNextDay = endTime === null || isOvernight(policy.start_time, policy.end_time)
  const windows: DayWindow[] = []
  for (let number = dayNumber(first); number <= dayNumber(last); number++) {
    const day = dayFromNumber(number)
    const from = clock.instant(number, startSeconds).ms
    const until = Math.max(from, clock.instant(endsNextDay ? number + 1 : number, endSeconds).ms)
    const windowFrom = Math.max(from, inForceFrom)
    const windowUntil = Math.min(until, inForceUntil)
    const isOnDay = !policy.days.length || policy.days.includes(getWeekday(day))
    const isInForce = windowFrom < windowUntil
    const inForceReason = isInForce ? null : 'not_in_force'
    const emptyReason = isOnDay && from < until ? inForceReason : 'not_on_this_day'
    windows.push(
      emptyReason
        ? { day, from, until: from, emptyReason }
        : { day, from: windowFrom, until: windowUntil, emptyReason },
    )
  }
  return windows
}
