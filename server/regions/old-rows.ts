import { startOfDay } from '#contract/civil-clock.ts'
import type { LocalDay } from '#contract/period.ts'
import { instant } from '#server/stores/instant.ts'
import { bind, type ScopedTable, type Sql, sql } from '#server/stores/sql.ts'

/** Which rows of a region are removed: those before the begin of a local day. */
export interface RowCut {
  regionId: string
  timezone: string
  lostAfterHours: number
  beforeDay: LocalDay
  /** Imports of trips that began before. */
  importIds: readonly string[]
}

/** Old rows of one table. */
export interface OldRows {
  table: ScopedTable
  where: (cut: RowCut) => Sql
}

export const beginOf = ({ beforeDay, timezone }: RowCut): Sql => instant(startOfDay(beforeDay, timezone))
export const ofRegion = ({ regionId }: Pick<RowCut, 'regionId'>): Sql =>
  sql`region_id = ${bind('String', regionId)}`

export const beforeTime =
  (column: Sql) =>
  (cut: RowCut): Sql =>
    sql`${column} < ${beginOf(cut)}`
export const beforeLocalDay =
  (column: Sql) =>
  ({ beforeDay }: RowCut): Sql =>
    sql`${column} < ${bind('Date', beforeDay)}`
