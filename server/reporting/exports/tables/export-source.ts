import type { LocalDay } from '#contract/period.ts'
import type { Compliance } from '#server/compliance/days/find-records.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, joinSql, type Sql, sql } from '#server/stores/sql.ts'

/** The rows of a table that an export asks for. */
export interface Selection {
  regionId: string
  timezone: string
  /** Local days, both included, and their instants (ms), half open. Null: all. */
  period: { first: LocalDay; last: LocalDay; from: number; until: number } | null
  /** Empty: all. */
  operators: readonly string[]
  vehicleTypes: readonly string[]
  /** Null: all. */
  layerId: string | null
}

/** A table of the fact store. */
export interface FactSource {
  kind: 'facts'
  /** A statement with the columns of the table under their names. */
  rows: (selection: Selection) => Sql
}

export interface StateContext extends Compliance {
  /** Of the user who asks. */
  scope: Scope
  at: Date
  signal?: AbortSignal | undefined
}

type Row = Record<string, unknown>

export interface Counted {
  rows: number | null
  days: number | null
  first_day: LocalDay | null
  last_day: LocalDay | null
}

/** A table of the state store; its rows are first copied to the fact store. */
export interface StateSource {
  kind: 'state'
  /** Rows in batches. Times are ISO 8601; `geometry` is GeoJSON where the geometry of the table is of any type. */
  rows: (context: StateContext, selection: Selection) => AsyncGenerator<readonly Row[]>
  count: (context: StateContext, selection: Selection) => Promise<Counted>
}

export type ExportSource = FactSource | StateSource

/** Nothing is known without a long computation. */
export const uncounted: Counted = { rows: null, days: null, first_day: null, last_day: null }

const instant = (ms: number): Sql => sql`fromUnixTimestamp64Milli(${bind('Int64', String(ms))}, 'UTC')`

/** Conditions of a selection, where `at` is the time by which rows belong to a period. */
export const within = ({ regionId, period, operators, vehicleTypes }: Selection, at: Sql): Sql =>
  joinSql(
    [
      sql`region_id = ${bind('String', regionId)}`,
      ...(period ? [sql`${at} >= ${instant(period.from)}`, sql`${at} < ${instant(period.until)}`] : []),
      ...(operators.length ? [sql`operator in ${bind('Array(String)', operators)}`] : []),
      ...(vehicleTypes.length ? [sql`vehicle_type in ${bind('Array(String)', vehicleTypes)}`] : []),
    ],
    ' and ',
  )

/** A number, or null where the store has NaN for unknown. */
export const known = (value: Sql): Sql => sql`if(isNaN(${value}), null, ${value})`

const noId = '00000000-0000-0000-0000-000000000000'
/** An id, or null where the store has zeros for none. */
export const idOrNull = (value: Sql): Sql =>
  sql`if(${value} = toUUID(${bind('String', noId)}), null, toString(${value}))`
