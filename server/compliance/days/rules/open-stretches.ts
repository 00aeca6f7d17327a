import type { CivilClock } from '#contract/civil-clock.ts'
import { inWindow, type Window } from '../../rule.ts'

/** A time range, ms, half open. */
export interface Stretch {
  from: number
  until: number
}

/** Clocks change on quarter hours. */
const quarter = 900_000

/** When a window is open within a time range, by the local clock: a repeated hour is open twice. */
export function openStretches(window: Window, clock: CivilClock, from: number, until: number): Stretch[] {
  const marks = new Set([from])
  for (let at = Math.ceil(from / quarter) * quarter; at < until; at += quarter) marks.add(at)
  const [firstDay, lastDay] = [clock.local(from).day, clock.local(until).day]
  for (let day = firstDay; day <= lastDay; day++)
    for (const seconds of [window.from, window.to]) {
      const { ms, second } = clock.instant(day, seconds)
      for (const mark of [ms, second]) if (mark !== null && mark > from && mark < until) marks.add(mark)
    }
  const stretches: Stretch[] = []
  const inOrder = [...marks].sort((a, b) => a - b)
  for (const [index, mark] of inOrder.entries()) {
    if (!inWindow(window, clock, mark)) continue
    const end = inOrder[index + 1] ?? until
    const last = stretches.at(-1)
    if (last?.until === mark) last.until = end
    else stretches.push({ from: mark, until: end })
  }
  return stretches
}
