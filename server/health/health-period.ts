import { defaultHealthPeriod, maxHealthDays } from '#contract/health.ts'
import { type LocalDay, localDay, daysBetween } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'

export interface HealthPeriod {
  start: LocalDay
  end: LocalDay
  today: LocalDay
  /** The days of the period that have begun. */
  days: LocalDay[]
}

/**
 * Reads the requested days, by default the last seven at the time `at` (ms).
 * @throws Problem `validation_error` if there are none or too many.
 */
export function readHealthPeriod(
  { start_date, end_date }: { start_date?: LocalDay | undefined; end_date?: LocalDay | undefined },
  timezone: string,
  at: number,
): HealthPeriod {
  const today = localDay(new Date(at), timezone)
  const end = end_date ?? (start_date && start_date > today ? start_date : today)
  const start = start_date ?? defaultHealthPeriod(end).start_date
  const days = daysBetween(start, end)
  if (!days.length) throw new Problem('validation_error', 'end_date: The end is before the start.')
  if (days.length > maxHealthDays)
    throw new Problem('validation_error', `end_date: Maximum date range is ${maxHealthDays} days`)
  return { start, end, today, days: days.filter((day) => day <= today) }
}
