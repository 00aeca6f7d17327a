import { civilClock } from '#contract/civil-clock.ts'
import { localDay } from '#contract/period.ts'

/** Local hour from which on the mail of the day is sent. */
const digestHour = 7

/** Whether messages may be sent: at once, or once a local day of the region, from the morning on. `digest_day`: the day of the last one. */
export function isCadenceDue(
  { cadence, digest_day, timezone }: { cadence: string; digest_day: string | null; timezone: string },
  at: Date,
): boolean {
  if (cadence === 'immediate') return true
  return digest_day !== localDay(at, timezone) && civilClock(timezone).local(at.getTime()).hour >= digestHour
}
