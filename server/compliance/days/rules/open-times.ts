import type { CivilClock } from '#contract/civil-clock.ts'
import { isInWindow, type Window } from '../../rule.ts'

/** A time range, ms, half open. */
export interface Stretch {
  from: number
  until: number
}

/** Clock changes occur at quarter hours. */
const quarterMs = 15 * 60_000

/** Finds when a window is open within a range, by the local clock. A repeated hour is open twice. */
export function findOpenTimes(window: Window, clock: CivilClock, from: number, until: number): Stretch[] {
  // Between two marks, the window is open all the time or not at all.
  const marks = new Set([from])
  for (let quarter = Math.ceil(from / quarterMs) * quarterMs; quarter < until; quarter += quarterMs)
    marks.add(quarter)
  const firstDay = clock.local(from).day
  const lastDay = clock.local(until).day
  for (let day = firstDay; day <= lastDay; day++)
    for (const seconds of [window.from, window.to]) {
      const { ms, repeatedMs } = clock.instant(day, seconds)
      for (const mark of [ms, repeatedMs]) if (mark !== null && mark > from && mark < until) marks.add(mark)
    }
  const stretches: Stretch[] = []
  const sortedMarks = [...marks].sort((a, b) => a - b)
  for (const [index, mark] of sortedMarks.entries()) {
    if (!isInWindow(window, clock, mark)) continue
    const end = sortedMarks[index + 1] ?? until
    const lastStretch = stretches.at(-1)
    if (lastStretch?.until === mark) lastStretch.until = end
    else stretches.push({ from: mark, until: end })
  }
  return stretches
}
