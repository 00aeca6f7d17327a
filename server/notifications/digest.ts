import { civilClock } from '#contract/civil-clock.ts'
import { localDay } from '#contract/period.ts'

/** Local hour from which on the daily mail is sent. */
const digestHour = 7

/**
 * Returns whether messages of a subscription may be sent now: immediate ones always, daily ones once per
 * local day after the digest hour. `digest_day` is the local day of the last daily mail.
 */
export function isCadenceDue(
  { cadence, digest_day, timezone }: { cadence: string; digest_day: string | null; timezone: string },
  at: Date,
): boolean {
  if (cadence === 'immediate') return true
  return digest_day !== localDay(at, timezone) && civilClock(timezone).local(at.getTime()).hour >= digestHour
}
