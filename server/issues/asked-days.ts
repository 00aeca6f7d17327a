import type { IssueFilters } from '#contract/issues.ts'
import { type LocalDay, dayNumber } from '#contract/period.ts'
import type { AliasableExpression, ExpressionBuilder } from 'kysely'
import { civilClock } from '#contract/civil-clock.ts'
import type { StateTables } from '#server/stores/state-tables.ts'

export interface DaySpan {
  first: LocalDay
  last: LocalDay
}

/** The local days of a question, both included; an end that it leaves open is that of all requests. Null where it has none. */
export function askedDays(
  { start_date: start, end_date: end }: IssueFilters,
  held: DaySpan | null,
): DaySpan | null {
  if (start && end) return { first: start, last: end }
  const [first, last] = [start ?? held?.first, end ?? held?.last]
  return first && last && first <= last ? { first, last } : null
}

/** Of those, the days between the first and the last of all requests: there is nothing beyond them. Null where none is left. */
export function daysWithin(asked: DaySpan | null, held: DaySpan | null): DaySpan | null {
  if (!asked || !held) return null
  const [first, last] = [
    asked.first > held.first ? asked.first : held.first,
    asked.last < held.last ? asked.last : held.last,
  ]
  return first <= last ? { first, last } : null
}

/** The local day of a request in days since 1970-01-01, of requests within the span. Days begin where those of the filters do, whatever the store knows of zones. */
export function requestDay(
  { first, last }: DaySpan,
  timezone: string,
): (is: ExpressionBuilder<StateTables, 'issue'>) => AliasableExpression<number> {
  const clock = civilClock(timezone)
  const from = dayNumber(first)
  const starts = Array.from(
    { length: dayNumber(last) - from + 1 },
    (_, at) => new Date(clock.instant(from + at, 0).ms),
  )
  return (is) => is(is.fn<number>('width_bucket', ['requested_time', is.val(starts)]), '+', from - 1)
}
