import type { LocalDay } from '#contract/period.ts'
import { dayEnd, dayStart } from '#server/regions/local-hours.ts'
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

/** Returns the time range of some local days. */
export const spanOfDays = (regionId: string, first: LocalDay, last: LocalDay, timezone: string): Span => ({
  regionId,
  from: dayStart(first, timezone),
  until: dayEnd(last, timezone),
})

/** Tests whether a time column is within a span, which is extended by `before` and `after` (ms). */
export function within({ regionId, operator, from, until }: Span, column: Sql, before = 0, after = 0): Sql {
  const matchesOperator = operator === undefined ? sql`` : sql`and operator = ${bind('String', operator)}`
  return sql`
    region_id = ${bind('String', regionId)} ${matchesOperator}
    and ${column} >= ${toDateTime(from - before)}
    and ${column} < ${toDateTime(until + after)}`
}

/** Tests whether rows of `trips` start in a span; `local_date` is part of the sorting key. */
export const tripsWithin = (span: Span): Sql =>
  sql`${within(span, sql`start_time`)}
    and local_date between toDate(${toDateTime(span.from)}) - 1 and toDate(${toDateTime(span.until)}) + 1`
