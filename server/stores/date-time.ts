import { bind, type Sql, sql } from './sql.ts'

/** Converts a time (ms since 1970, as a number or decimal text) to DateTime64(3). */
export const toDateTime = (ms: number | string): Sql =>
  sql`fromUnixTimestamp64Milli(${bind('Int64', typeof ms === 'number' ? String(Math.floor(ms)) : ms)})`

/** Converts a DateTime64(3) to ms since 1970. */
export const toMilliseconds = (time: Sql): Sql => sql`toUnixTimestamp64Milli(${time})`
