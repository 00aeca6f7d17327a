import { bind, type Sql, sql } from '#server/stores/sql.ts'

/** A moment (ms) as the store's times are. */
export const instant = (ms: number): Sql => sql`fromUnixTimestamp64Milli(${bind('Int64', String(ms))})`

/** A time of the store in ms. */
export const msOf = (moment: Sql): Sql => sql`toUnixTimestamp64Milli(${moment})`
