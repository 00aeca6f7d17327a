import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber, dayFromNumber, type LocalDay, weekdayOf } from '#contract/period.ts'
import { isOvernight, sentEndTime } from '#contract/policy-types/policy-times.ts'
import type { DayRule } from './day-rule.ts'

/** When a rule holds on a local day, ms, half open. An empty window (`from` = `until`) says why. */
export interface DayWindow {
  day: LocalDay
  from: number
  until: number
  none: 'not_in_force' | 'not_on_this_day' | 'no_feed' | null
}

const secondsOf = (text: string): number => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)

/** The window of each local day in a range, on the day on which it starts (docs/metrics.md, decision 5), cut to the time in force. */
export function dayWindows(
  { policy, from: heldFrom, until: heldUntil }: Pick<DayRule, 'policy' | 'from' | 'until'>,
  first: LocalDay,
  last: LocalDay,
  timezone: string,
): DayWindow[] {
  const clock = civilClock(timezone)
  const end = sentEndTime(policy.end_time)
  const starts = policy.start_time === null ? 0 : secondsOf(policy.start_time)
  const ends = end === null ? 0 : secondsOf(end)
  const endsNextDay = end === null || isOvernight(policy.start_time, policy.end_time)
  const windows: DayWindow[] = []
  for (let number = dayNumber(first); number <= dayNumber(last); number++) {
    const day = dayFromNumber(number)
    const from = clock.instant(number, starts).ms
    const until = Math.max(from, clock.instant(endsNextDay ? number + 1 : number, ends).ms)
    const [heldOn, heldTo] = [Math.max(from, heldFrom), Math.min(until, heldUntil)]
    const none =
      policy.days.length && !policy.days.includes(weekdayOf(day))
        ? 'not_on_this_day'
        : until === from
          ? 'not_on_this_day'
          : heldTo <= heldOn
            ? 'not_in_force'
            : null
    windows.push(none ? { day, from, until: from, none } : { day, from: heldOn, until: heldTo, none })
  }
  return windows
}
