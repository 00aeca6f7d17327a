import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber } from '#contract/period.ts'
import type { PolicyFields } from '#contract/policy.ts'

/** Operators have so long to read a publication before it holds (MDS Policy: start_date). */
export const noticeMs = 20 * 60_000

/** From when until when a policy holds, in ms since 1970: from its first day's midnight, but not before the notice is over, to the midnight after its last day. */
export function effectivePeriod(
  { start_date: first, end_date: last }: Pick<PolicyFields, 'start_date' | 'end_date'>,
  published: Date,
  zone: string,
): { start: number; end: number | null } {
  const clock = civilClock(zone)
  const earliest = published.getTime() + noticeMs
  const start = first === null ? earliest : Math.max(earliest, clock.instant(dayNumber(first), 0).ms)
  return { start, end: last === null ? null : Math.max(start, clock.instant(dayNumber(last) + 1, 0).ms) }
}
