import { bind, type Sql, sql } from './sql.ts'

/** A time (ms since 1970, as a number or decimal text) as DateTime64(3). */
export const toDateTime = (ms: number | string): Sql =>
  sql`fromUnixTimestamp64Milli(${bind('Int64', typeof ms === 'number' ? String(Math.floor(ms)) : ms)})`

/** A DateTime64(3) as ms since 1970. */
export const toMilliseconds = (time: Sql): Sql => sql`toUnixTimestamp64Milli(${time})`
