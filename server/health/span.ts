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

/** A moment (ms) as ClickHouse has it. */
export const moment = (ms: number): Sql => sql`fromUnixTimestamp64Milli(${bind('Int64', Math.floor(ms))})`

/** The rows of a span by one of their times, with room (ms) before and after. */
export const within = ({ regionId, operator, from, until }: Span, column: Sql, before = 0, after = 0): Sql =>
  sql`region_id = ${bind('String', regionId)}${operator === undefined ? sql`` : sql` and operator = ${bind('String', operator)}`} and ${column} >= ${moment(from - before)} and ${column} < ${moment(until + after)}`

/** The rows of `trips` that start in a span; the days are what they are sorted by. */
export const tripsWithin = (span: Span): Sql =>
  sql`${within(span, sql`start_time`)} and local_date between toDate(${moment(span.from)}) - 1 and toDate(${moment(span.until)}) + 1`
