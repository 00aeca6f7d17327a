import type { Scope } from './scope.ts'

/** A value with its ClickHouse type, sent as a bound parameter and never as part of the query's text. */
export interface Bound {
  readonly type: string
  readonly value: unknown
}

/** A fact table in a query, rendered as its rows within the Scope. */
export interface FactTable {
  readonly table: string
  /** Only the newest row of each key, for tables with versions. */
  readonly latest?: boolean
}

/** A fragment of SQL. */
export interface Sql {
  readonly strings: readonly string[]
  readonly values: readonly SqlValue[]
}

export type SqlValue = Bound | FactTable | Sql

/** SQL with ClickHouse's named parameters, and their values. */
export interface RenderedSql {
  text: string
  parameters: Record<string, unknown>
}

/** Tables with rows of all operators but no `operator` column: refused to a Scope of some operators. */
const crossOperatorTables = [
  'set_aside_rows',
  'curb_events',
  'curb_sessions',
  'curb_hours',
  'curb_day_hours',
  'curb_zone_days',
  'curb_payments',
  'curb_payments_staging',
  'curb_payment_rows',
  'curb_payment_lanes',
  'curb_payment_hours',
  'curb_payment_places',
  'curb_payment_place_months',
  'curb_counts',
  'curb_occupancy_days',
] as const

/** Tables with an `operator` column, by which a Scope may limit them. */
const operatorTables = [
  'trips',
  'trips_staging',
  'vehicle_events',
  'vehicles',
  'vehicle_intervals',
  'parking_events',
  'fleet_marks',
  'trip_reports',
  'trip_events',
  'telemetry',
  'stops',
  'feed_findings',
  'feed_batches',
  'vehicle_snapshots',
  'trip_routes',
  'operator_reports',
  'shape_hours',
  'shape_day_hours',
  'long_rests',
  'segment_days',
  'segment_hours',
  'way_shapes',
  'ride_speeds',
  'ride_speed_days',
  'report_hours',
  'report_fleet_days',
  'station_spans',
  'station_states',
  'station_details',
  'fee_days',
  'invoice_facts',
] as const

/** Tables with facts of regions; each has `region_id`. */
const scopedTables = [
  ...operatorTables,
  ...crossOperatorTables,
  'cube_shapes',
  'way_lists',
  'way_days',
  'export_rows',
] as const
export type ScopedTable = (typeof scopedTables)[number]
const isOneOf = (tables: readonly string[], table: string): boolean => tables.includes(table)
/** Returns whether a table has facts of regions. */
export const isScoped = (table: string): table is ScopedTable => isOneOf(scopedTables, table)
/** Tables without facts of regions: indexes of geometry, keyed by content. */
const openTables = ['layer_indexes', 'layer_codes', 'layer_edges', 'layer_faces'] as const
export type OpenTable = (typeof openTables)[number]

/** The tag of SQL statements. Values are other statements or bound parameters, never plain text. */
export function sql(strings: TemplateStringsArray, ...values: SqlValue[]): Sql {
  return { strings: [...strings], values }
}

/** Binds a value of a ClickHouse type, as in `bind('Date', '2026-01-01')`. */
export const bind = (type: string, value: unknown): Bound => ({ type, value })

/** Returns a fact table by name. */
export const facts = (table: ScopedTable | OpenTable): FactTable => ({ table })

/** Returns a table with versions, limited to the newest row of each key. */
export const latest = (table: ScopedTable): FactTable => ({ table, latest: true })

/** Joins fragments of SQL with a separator. */
export function joinSql(fragments: readonly Sql[], separator: ' and ' | ' or ' | ', '): Sql {
  const strings = fragments.map((_, index) => (index === 0 ? '' : separator))
  return { strings: [...strings, ''], values: fragments }
}

/**
 * Returns the name of a dictionary, column or column within a Nested one, as SQL.
 * @throws Error unless it consists of letters, digits and underscores.
 */
export function identifier(name: string): Sql {
  if (
    !/^([a-z][a-z0-9_]{0,100}\.)?[a-z][a-z0-9_]{0,100}$/.test(name) ||
    name.split('.').some((part) => isOneOf(scopedTables, part))
  )
    throw new Error(`Not a name: ${name}`)
  return { strings: [name], values: [] }
}

/** Returns the names of columns as a list, with some of them replaced by expressions. */
export const columnsWith = (names: readonly string[], expressions: Readonly<Record<string, Sql>> = {}): Sql =>
  joinSql(
    names.map((name) => expressions[name] ?? identifier(name)),
    ', ',
  )

/**
 * Returns an expression with one row per item: a tuple of the item's values. Each column is a ClickHouse type
 * and the function that reads the value.
 */
export const itemTuples = <Item>(
  items: readonly Item[],
  columns: readonly (readonly [type: string, read: (item: Item) => unknown])[],
): Sql => {
  const arrays = columns.map(([type, read]) => sql`${bind(`Array(${type})`, items.map(read))}`)
  return sql`arrayJoin(arrayZip(${joinSql(arrays, ', ')}))`
}

/** Returns the version of a row in a table with versions. */
export const versionValue = (version: bigint): Sql => sql`${bind('UInt64', String(version))}`

/** Returns the columns of rows that delete the rows with the same keys from a table with versions. */
export const deletionColumns = (names: readonly string[], version: bigint): Sql =>
  columnsWith(names, { is_deleted: sql`toUInt8(1)`, version: versionValue(version) })

/**
 * Matches a fact table named in plain text where a table is expected: after a keyword like `from` or a comma;
 * bare, quoted, in parentheses or qualified by its database.
 */
const scopedTablePattern = new RegExp(
  `(\\b(from|join|into|update|table)\\b|,)[\\s(]*([\`"]?\\w+[\`"]?\\s*\\.\\s*)?[\`"]?\\b(${scopedTables.join('|')})\\b`,
  'i',
)

/** Renders a query within a Scope: fact tables are limited to the Scope's regions and operators. */
export function renderSql(query: Sql, scope: Scope): RenderedSql {
  const parameters: Record<string, unknown> = {}
  const parameterNames = new Map<SqlValue, string>()
  const renderBound = (value: Bound): string => {
    let key = parameterNames.get(value)
    if (!key) {
      key = `p${parameterNames.size}`
      parameterNames.set(value, key)
      parameters[key] = value.value
    }
    return `{${key}:${value.type}}`
  }
  const renderTable = ({ table: tableName, latest: isLatest }: FactTable): string => {
    const final = isLatest ? ' final' : ''
    if ((openTables as readonly string[]).includes(tableName)) return tableName
    if (!(scopedTables as readonly string[]).includes(tableName))
      throw new Error(`Not a fact table: ${tableName}`)
    const conditions: string[] = []
    if (scope.regionIds) {
      parameters['scope_regions'] = scope.regionIds
      conditions.push('region_id in {scope_regions:Array(String)}')
    } else if (scope.organizationId !== null)
      throw new Error('A Scope of an organization must name its regions')
    if (scope.operators && isOneOf(crossOperatorTables, tableName))
      throw new Error(`A Scope of some operators cannot read ${tableName}`)
    if (scope.operators && isOneOf(operatorTables, tableName)) {
      parameters['scope_operators'] = scope.operators
      conditions.push('operator in {scope_operators:Array(String)}')
    }
    if (conditions.length) return `(select * from ${tableName}${final} where ${conditions.join(' and ')})`
    return isLatest ? `(select * from ${tableName} final)` : tableName
  }
  const render = (statement: Sql): string =>
    statement.strings
      .map((text, index) => {
        const value = statement.values[index]
        if (scopedTablePattern.test(text)) throw new Error(`A fact table must be named by facts(): ${text}`)
        if (value === undefined) return text
        if ('table' in value) return text + renderTable(value)
        return text + ('strings' in value ? render(value) : renderBound(value))
      })
      .join('')
  const text = render(query)
  return { text, parameters }
}
