import { instant } from '#server/stores/instant.ts'
import { bind, type Sql, sql } from '#server/stores/sql.ts'

/** A stretch of time of one region; the end is not in it. Ms since 1970. */
export interface Span {
  regionId: string
  from: number
  until: number
  /** One operator's only. */
  operator?: string | undefined
}

export const hourMs = 3_600_000
export const dayMs = 86_400_000

/** The rows of a span by one of their times, with room (ms) before and after. */
export const within = ({ regionId, operator, from, until }: Span, column: Sql, before = 0, after = 0): Sql =>
  sql`region_id = ${bind('String', regionId)}${operator === undefined ? sql`` : sql` and operator = ${bind('String', operator)}`} and ${column} >= ${instant(from - before)} and ${column} < ${instant(until + after)}`

/** The rows of `trips` that start in a span; the days are what they are sorted by. */
export const tripsWithin = (span: Span): Sql =>
  sql`${within(span, sql`start_time`)} and local_date between toDate(${instant(span.from)}) - 1 and toDate(${instant(span.until)}) + 1`
