import { bind, type Sql, sql } from '#server/stores/sql.ts'

/** Hours without contact after which a vehicle is lost by default (docs/metrics.md, `lostAfterHours`). */
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

/** The rule of `lostAt` as SQL expressions of the fact store. Arguments are SQL times. */
export interface LostRule {
  lostAt(contact: Sql): Sql
  isLost(contact: Sql, at: Sql): Sql
  /** Not lost yet. */
  hasContact(contact: Sql, at: Sql): Sql
  wasLostBetween(contact: Sql, next: Sql): Sql
}

/** Returns the rule for vehicles that are lost after a number of hours without contact. */
export function createLostRule(lostAfterHours: number): LostRule {
  const lostAfterSql = sql`toIntervalHour(${bind('UInt32', lostAfterHours)})`
  const lostAtSql = (contact: Sql): Sql => sql`${contact} + ${lostAfterSql}`
  return {
    lostAt: lostAtSql,
    isLost: (contact, at) => sql`${contact} <= ${at} - ${lostAfterSql}`,
    hasContact: (contact, at) => sql`${contact} > ${at} - ${lostAfterSql}`,
    wasLostBetween: (contact, next) => sql`${next} > ${lostAtSql(contact)}`,
  }
}
