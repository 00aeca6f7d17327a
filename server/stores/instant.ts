import { bind, type Sql, sql } from '#server/stores/sql.ts'

/** A time (ms since 1970) as DateTime64(3). */
export const instant = (ms: number): Sql => sql`fromUnixTimestamp64Milli(${bind('Int64', String(ms))})`

/** A DateTime64(3) as ms since 1970. */
export const msOf = (time: Sql): Sql => sql`toUnixTimestamp64Milli(${time})`
