import type { LocalDay } from '#contract/period.ts'
import type { Compliance } from '#server/compliance/days/find-records.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, joinSql, type Sql, sql } from '#server/stores/sql.ts'

/** Selects rows of a table for an export. */
export interface Selection {
  regionId: string
  timezone: string
  /** Local days, both included, and the same time as a half-open range (ms); null for all times. */
  period: { first: LocalDay; last: LocalDay; from: number; until: number } | null
  /** Empty for all. */
  operators: readonly string[]
  /** Empty for all. */
  vehicleTypes: readonly string[]
  /** Null for all layers. */
  layerId: string | null
}

export interface FactSource {
  kind: 'facts'
  /** A query that returns the columns of the table under their names. */
  rows: (selection: Selection) => Sql
}

/** Who exports a table of the state store, and when. */
export interface StateContext extends Compliance {
  /** Scope of the user who exports. */
  scope: Scope
  at: Date
  signal?: AbortSignal | undefined
}

type Row = Record<string, unknown>

/** Number of rows, and the local days with rows; null if unknown. */
export interface RowCounts {
  rows: number | null
  days: number | null
  first_day: LocalDay | null
  last_day: LocalDay | null
}

/** A table of the state store. Its rows are copied to the fact store before they are written. */
export interface StateSource {
  kind: 'state'
  /** Returns batches of rows. Times are ISO 8601; `geometry` is GeoJSON, where it may be of any type. */
  rows: (context: StateContext, selection: Selection) => AsyncGenerator<readonly Row[]>
  count: (context: StateContext, selection: Selection) => Promise<RowCounts>
}

export type ExportSource = FactSource | StateSource

/** For tables that cannot be counted without a long computation. */
export const uncounted: RowCounts = { rows: null, days: null, first_day: null, last_day: null }

const toDateTime64 = (ms: number): Sql => sql`fromUnixTimestamp64Milli(${bind('Int64', String(ms))}, 'UTC')`

/** Builds the SQL condition for rows of a selection. @param time The column that must be in the period. */
export const selectionCondition = (
  { regionId, period, operators, vehicleTypes }: Selection,
  time: Sql,
): Sql =>
  joinSql(
    [
      sql`region_id = ${bind('String', regionId)}`,
      ...(period
        ? [sql`${time} >= ${toDateTime64(period.from)}`, sql`${time} < ${toDateTime64(period.until)}`]
        : []),
      ...(operators.length ? [sql`operator in ${bind('Array(String)', operators)}`] : []),
      ...(vehicleTypes.length ? [sql`vehicle_type in ${bind('Array(String)', vehicleTypes)}`] : []),
    ],
    ' and ',
  )

/** Builds SQL for a number; null for NaN, which means unknown. */
export const numberColumn = (value: Sql): Sql => sql`if(isNaN(${value}), null, ${value})`

const noId = '00000000-0000-0000-0000-000000000000'
/** Builds SQL for an id; null for zeros, which stand for a missing id. */
export const idColumn = (value: Sql): Sql =>
  sql`if(${value} = toUUID(${bind('String', noId)}), null, toString(${value}))`
