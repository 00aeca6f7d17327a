import type { AliasableExpression, ExpressionBuilder } from 'kysely'
import { civilClock } from '#contract/civil-clock.ts'
import type { IssueFilters } from '#contract/issues.ts'
import { dayNumber, type LocalDay } from '#contract/period.ts'
import type { StateTables } from '#server/stores/state-tables.ts'

/** Local days, both inclusive. */
export interface DaySpan {
  first: LocalDay
  last: LocalDay
}

/** Returns the days of a request, by default those of `available` issues; null if there are none. */
export function getRequestedDays(
  { start_date: start, end_date: end }: IssueFilters,
  available: DaySpan | null,
): DaySpan | null {
  if (start && end) return { first: start, last: end }
  const first = start ?? available?.first
  const last = end ?? available?.last
  return first && last && first <= last ? { first, last } : null
}

/** Returns the requested days that are within the days of the `available` issues; null if there are none. */
export function clipDays(requested: DaySpan | null, available: DaySpan | null): DaySpan | null {
  if (!requested || !available) return null
  const first = requested.first > available.first ? requested.first : available.first
  const last = requested.last < available.last ? requested.last : available.last
  return first <= last ? { first, last } : null
}

/**
 * Builds SQL for the local day of an issue within the span, in days since 1970-01-01. It compares with
 * the starts of days as computed here, so that days agree with the filters even if the store has other time
 * zone data.
 */
export function requestDayColumn(
  { first, last }: DaySpan,
  timezone: string,
): (is: ExpressionBuilder<StateTables, 'issue'>) => AliasableExpression<number> {
  const clock = civilClock(timezone)
  const from = dayNumber(first)
  const starts = Array.from(
    { length: dayNumber(last) - from + 1 },
    (_, index) => new Date(clock.instant(from + index, 0).ms),
  )
  // `width_bucket` counts the starts at or before a time, so the first day has number 1.
  return (is) => is(is.fn<number>('width_bucket', ['requested_time', is.val(starts)]), '+', from - 1)
}
