import { beforeDayCondition, beforeTimeCondition, type OldRows } from '#server/regions/old-rows.ts'
import { sql } from '#server/stores/sql.ts'

/** Old rows of sessions and events, in the order in which they are removed. */
export const oldSessionRows: readonly OldRows[] = [
  { table: 'curb_sessions', where: beforeTimeCondition(sql`from_time`) },
  { table: 'curb_events', where: beforeTimeCondition(sql`event_time`) },
]
/** Old rows of payments. */
export const oldPaymentRows: readonly OldRows[] = [
  { table: 'curb_payments', where: beforeDayCondition(sql`day`) },
]
