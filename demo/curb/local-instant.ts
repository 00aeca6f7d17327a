import { minuteMs } from '#contract/period.ts'
import type { LocalDay } from '../trips/local-days.ts'

/** Returns the instant (ms) of a minute of a local day. The minute may be past the end of the day. */
export function toLocalInstant(
  { startMs, changeMs, offsetBefore, offsetAfter }: LocalDay,
  minute: number,
): number {
  const unshiftedMs = startMs + minute * minuteMs
  return Math.round(
    unshiftedMs < changeMs ? unshiftedMs : Math.max(changeMs, unshiftedMs + offsetBefore - offsetAfter),
  )
}
