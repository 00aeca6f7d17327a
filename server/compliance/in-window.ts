import { mdsDays } from '#contract/mds-policy.ts'
import type { CivilClock } from '#contract/civil-clock.ts'
import type { Window } from './rule.ts'

/** 1 January 1970, day number 0, was a Thursday. */
const dayOfWeek = (day: number): (typeof mdsDays)[number] => mdsDays[(((day + 4) % 7) + 7) % 7] ?? 'sun'

/** Whether a window is open at an instant, by the clock on the wall; past midnight it belongs to the day on which it began (metrics.md, decision 5). */
export function inWindow({ days, from, to }: Window, clock: Pick<CivilClock, 'local'>, at: number): boolean {
  const { day, seconds } = clock.local(at)
  const holdsOn = (start: number): boolean => days === null || days.has(dayOfWeek(start))
  if (from < to) return from <= seconds && seconds < to && holdsOn(day)
  return (from <= seconds && holdsOn(day)) || (seconds < to && holdsOn(day - 1))
}
