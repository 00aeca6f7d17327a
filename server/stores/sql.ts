import type { Scope } from './scope.ts'

/** A ClickHouse value with its type: travels as a bound parameter, never as text of the query. */
export interface Bound {
  readonly type: string
  readonly value: unknown
}

/** A fact table: rendered as its rows inside the Scope, so that no query reads outside of it. */
export interface FactTable {
  readonly table: string
  /** Of rows of one key only the newest: for tables that keep versions. */
  readonly latest?: boolean
}

/** A piece of SQL. */
export interface Sql {
  readonly strings: readonly string[]
  readonly values: readonly SqlValue[]
}

export type SqlValue = Bound | FactTable | Sql

/** Text and parameters as ClickHouse takes them. */
export interface RenderedSql {
  text: string
  parameters: Record<string, unknown>
}

/** Tables that hold facts of regions; each has `region_id`. */
const scopedTables = [
  'trips',
  'trips_staging',
  'set_aside_rows',
  'vehicle_events',
  'vehicles',
  'vehicle_intervals',
  'parking_events',
  'fleet_dirty',
  'trip_reports',
  'trip_events',
  'trip_dirty',
  'telemetry',
  'stops',
  'feed_findings',
  'feed_batches',
  'vehicle_snapshots',
  'trip_routes',
  'operator_reports',
  'shape_hours',
  'shape_days',
  'cube_shapes',
  'trip_ends',
  'long_rests',
  'segment_days',
  'segment_hours',
  'way_lists',
  'way_shapes',
  'way_days',
  'ride_speeds',
  'ride_speed_days',
] as const
export type ScopedTable = (typeof scopedTables)[number]
/** Whether a table holds facts of regions. */
export const isScoped = (table: string): table is ScopedTable =>
  (scopedTables as readonly string[]).includes(table)
/** Tables without facts of anybody: indexes over geometry, named by their content. */
const openTables = ['layer_indexes', 'layer_codes', 'layer_edges', 'layer_faces'] as const
export type OpenTable = (typeof openTables)[number]

/** Rows of all operators that do not tell whose each is: closed to a Scope that is narrowed to some. */
const crossOperatorTables: readonly string[] = ['set_aside_rows']

/** The tables with an `operator` column, which a Scope may narrow. */
const operatorTables: readonly string[] = [
  'trips',
  'trips_staging',
  'vehicle_events',
  'vehicles',
  'vehicle_intervals',
  'parking_events',
  'fleet_dirty',
  'trip_reports',
  'trip_events',
  'trip_dirty',
  'telemetry',
  'stops',
  'feed_findings',
  'feed_batches',
  'vehicle_snapshots',
  'trip_routes',
  'operator_reports',
  'shape_hours',
  'shape_days',
  'trip_ends',
  'long_rests',
  'segment_days',
  'segment_hours',
  'way_shapes',
  'ride_speeds',
  'ride_speed_days',
]

export function sql(strings: TemplateStringsArray, ...values: SqlValue[]): Sql {
  return { strings: [...strings], values }
}

/** Binds a value of a ClickHouse type, as in `bind('Date', '2026-01-01')`. */
export const bind = (type: string, value: unknown): Bound => ({ type, value })

/** A fact table by name. */
export const facts = (table: ScopedTable | OpenTable): FactTable => ({ table })

/** The newest row of each key of a table that keeps versions. */
export const latest = (table: ScopedTable): FactTable => ({ table, latest: true })

/** Joins pieces with text between. */
export function joinSql(fragments: readonly Sql[], between: ' and ' | ' or ' | ', '): Sql {
  const strings = fragments.map((_, index) => (index === 0 ? '' : between))
  return { strings: [...strings, ''], values: fragments }
}

/** A name that code has chosen (a dictionary, a column): letters, digits and underscores only. */
export function identifier(name: string): Sql {
  if (!/^[a-z][a-z0-9_]{0,100}$/.test(name) || (scopedTables as readonly string[]).includes(name))
    throw new Error(`Not a name: ${name}`)
  return { strings: [name], values: [] }
}

/** A fact table where a table stands: after a word that takes one or a comma, bare, quoted, in brackets or with its database. */
const scopedNames = new RegExp(
  `(\\b(from|join|into|update|table)\\b|,)[\\s(]*([\`"]?\\w+[\`"]?\\s*\\.\\s*)?[\`"]?\\b(${scopedTables.join('|')})\\b`,
  'i',
)

/** Renders with the Scope: every fact table becomes its rows of the Scope's regions (and operators). */
export function renderSql(query: Sql, scope: Scope): RenderedSql {
  const parameters: Record<string, unknown> = {}
  const named = new Map<SqlValue, string>()
  const name = (value: Bound): string => {
    let key = named.get(value)
    if (!key) {
      key = `p${named.size}`
      named.set(value, key)
      parameters[key] = value.value
    }
    return `{${key}:${value.type}}`
  }
  const table = ({ table: of, latest: isLatest }: FactTable): string => {
    const final = isLatest ? ' final' : ''
    if ((openTables as readonly string[]).includes(of)) return of
    if (!(scopedTables as readonly string[]).includes(of)) throw new Error(`Not a fact table: ${of}`)
    const limits: string[] = []
    if (scope.regionIds) {
      parameters['scope_regions'] = scope.regionIds
      limits.push('region_id in {scope_regions:Array(String)}')
    } else if (scope.organizationId !== null)
      throw new Error('A Scope of an organization must name its regions')
    if (scope.operators && crossOperatorTables.includes(of))
      throw new Error(`A Scope of some operators cannot read ${of}`)
    if (scope.operators && operatorTables.includes(of)) {
      parameters['scope_operators'] = scope.operators
      limits.push('operator in {scope_operators:Array(String)}')
    }
    return limits.length
      ? `(select * from ${of}${final} where ${limits.join(' and ')})`
      : isLatest
        ? `(select * from ${of} final)`
        : of
  }
  const render = (part: Sql): string =>
    part.strings
      .map((text, index) => {
        const value = part.values[index]
        if (scopedNames.test(text)) throw new Error(`A fact table must be named by facts(): ${text}`)
        if (value === undefined) return text
        return text + ('table' in value ? table(value) : 'strings' in value ? render(value) : name(value))
      })
      .join('')
  const text = render(query)
  return { text, parameters }
}
