import type { IssueFilters } from '#contract/issues.ts'
import type { LocalDay } from '#contract/period.ts'

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
