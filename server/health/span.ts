import type { LocalDay } from '#contract/period.ts'
import { getDayEnd, getDayStart } from '#server/regions/local-hours.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, type Sql, sql } from '#server/stores/sql.ts'

/** A half-open time range of a region, in ms since 1970. */
export interface Span {
  regionId: string
  from: number
  until: number
  /** Only this operator. */
  operator?: string | undefined
}

/** Returns the time range of local days, both included. */
export const getSpanOfDays = (regionId: string, first: LocalDay, last: LocalDay, timezone: string): Span => ({
  regionId,
  from: getDayStart(first, timezone),
  until: getDayEnd(last, timezone),
})

/** Builds the condition that a time column is within a span, which is extended by `before` and `after` (ms). */
export function withinCondition(
  { regionId, operator, from, until }: Span,
  column: Sql,
  before = 0,
  after = 0,
): Sql {
  const matchesOperator = operator === undefined ? sql`` : sql`and operator = ${bind('String', operator)}`
  return sql`
    region_id = ${bind('String', regionId)} ${matchesOperator}
    and ${column} >= ${toDateTime(from - before)}
    and ${column} < ${toDateTime(until + after)}`
}

/**
 * Builds the condition that rows of `trips` start in a span. The condition on `local_date`, which is part of
 * the sorting key, lets the store skip most rows.
 */
export const tripsWithinCondition = (span: Span): Sql =>
  sql`${withinCondition(span, sql`start_time`)}
    and local_date between toDate(${toDateTime(span.from)}) - 1 and toDate(${toDateTime(span.until)}) + 1`
