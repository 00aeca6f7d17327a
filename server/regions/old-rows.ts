import { startOfDay } from '#contract/civil-clock.ts'
import type { LocalDay } from '#contract/period.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, type ScopedTable, type Sql, sql } from '#server/stores/sql.ts'

/** The rows of a region to remove: those before the start of a local day. */
export interface RetentionCutoff {
  regionId: string
  timezone: string
  lostAfterHours: number
  beforeDay: LocalDay
  /** Ids of trip imports that started before that day. */
  importIds: readonly string[]
}

/** How to select the old rows of one table. */
export interface OldRows {
  table: ScopedTable
  /** Builds the condition for the old rows. */
  where: (cutoff: RetentionCutoff) => Sql
}

/** Builds SQL for the first instant that is retained. */
export const cutoffTimeSql = ({ beforeDay, timezone }: RetentionCutoff): Sql =>
  toDateTime(startOfDay(beforeDay, timezone))
/** Builds the condition for rows of the region. */
export const regionCondition = ({ regionId }: Pick<RetentionCutoff, 'regionId'>): Sql =>
  sql`region_id = ${bind('String', regionId)}`

/** Builds the condition for rows with a time before the cut. */
export const beforeTimeCondition =
  (column: Sql) =>
  (cutoff: RetentionCutoff): Sql =>
    sql`${column} < ${cutoffTimeSql(cutoff)}`
/** Builds the condition for rows with a local day before the cut. */
export const beforeDayCondition =
  (column: Sql) =>
  ({ beforeDay }: RetentionCutoff): Sql =>
    sql`${column} < ${bind('Date', beforeDay)}`
