import { localDay } from '#contract/period.ts'
import { hourEnds } from '#server/health/local-hours.ts'

/** Local hour from which on the mail of the day is sent. */
const digestHour = 7

/** Whether a mail is due: at once, or once a local day of the region, from the morning on. `digest_day`: the day of the last one. */
export function isDue(
  { cadence, digest_day, timezone }: { cadence: string; digest_day: string | null; timezone: string },
  at: Date,
): boolean {
  if (cadence === 'immediate') return true
  const day = localDay(at, timezone)
  return digest_day !== day && at.getTime() >= (hourEnds(day, timezone)[digestHour - 1] ?? 0)
}
