import { bind, type Sql, sql } from '#server/stores/sql.ts'

/** Hours of silence after which a vehicle is lost by default (docs/metrics.md, `lostAfterHours`). */
export const defaultLostAfterHours = 48

/**
 * Returns when a vehicle with this last contact becomes lost, ms. At exactly that moment it no longer counts
 * as present, unless there is a contact at exactly that moment: then it was never lost.
 */
export const lostAt = (contact: number, lostAfterMs: number): number => contact + lostAfterMs

/** Returns whether a vehicle is lost at a moment, ms. */
export const isLost = (contact: number, at: number, lostAfterMs: number): boolean =>
  at >= lostAt(contact, lostAfterMs)

/** Returns whether a vehicle was lost at some time between two successive contacts, ms. */
export const wasLostBetween = (contact: number, next: number, lostAfterMs: number): boolean =>
  next > lostAt(contact, lostAfterMs)

/** The same rule as SQL expressions of the fact store. */
export interface LostRule {
  lostAt(contact: Sql): Sql
  isLost(contact: Sql, at: Sql): Sql
  /** Not lost yet. */
  hasContact(contact: Sql, at: Sql): Sql
  wasLostBetween(contact: Sql, next: Sql): Sql
}

/** Returns the rule for vehicles that are lost after a number of hours without contact. */
export function lostRule(lostAfterHours: number): LostRule {
  const limit = sql`toIntervalHour(${bind('UInt32', lostAfterHours)})`
  const lostAtSql = (contact: Sql): Sql => sql`${contact} + ${limit}`
  return {
    lostAt: lostAtSql,
    isLost: (contact, at) => sql`${contact} <= ${at} - ${limit}`,
    hasContact: (contact, at) => sql`${contact} > ${at} - ${limit}`,
    wasLostBetween: (contact, next) => sql`${next} > ${lostAtSql(contact)}`,
  }
}
