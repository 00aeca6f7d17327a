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
  const end = sentEndTime(policy.end_time)
  const starts = policy.start_time === null ? 0 : parseSeconds(policy.start_time)
  const ends = end === null ? 0 : parseSeconds(end)
  const endsNextDay = end === null || isOvernight(policy.start_time, policy.end_time)
  const windows: DayWindow[] = []
  for (let number = dayNumber(first); number <= dayNumber(last); number++) {
    const day = dayFromNumber(number)
    const from = clock.instant(number, starts).ms
    const until = Math.max(from, clock.instant(endsNextDay ? number + 1 : number, ends).ms)
    const [windowFrom, windowUntil] = [Math.max(from, inForceFrom), Math.min(until, inForceUntil)]
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
