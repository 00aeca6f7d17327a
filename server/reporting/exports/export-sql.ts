import { formulaStart, negativeNumber } from '#contract/csv.ts'
import type { ExportFormat } from '#contract/exports.ts'
import {
  type ExportColumn,
  type ExportColumnType,
  exportTables,
  type ExportTableName,
} from '#contract/export-tables.ts'
import { bind, facts, identifier, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import type { FactSource, Selection } from './tables/export-source.ts'

/** What is written of a table. */
export interface ExportContent {
  table: ExportTableName
  format: ExportFormat
  /** In the order of the file. */
  columns: readonly string[]
  /** False: without ids, positions and times rounded. */
  isExact: boolean
  timezone: string
}

/** Decimals of rounded coordinates: about a hundred meters. */
const roundedDecimals = bind('UInt8', 3)

const columnOf = (table: ExportTableName, name: string): ExportColumn => {
  const column = exportTables[table].columns[name]
  if (!column) throw new Error(`${table} has no column ${name}`)
  return column
}

const field = (name: string): Sql => sql`source.${identifier(name)}`

/** The value of a column as a user may see it. */
function visibleValue({ table, isExact, timezone }: ExportContent, name: string): Sql {
  const { movement } = columnOf(table, name)
  if (isExact || movement === null) return field(name)
  if (movement === 'position') return sql`round(${field(name)}, ${roundedDecimals})`
  if (movement === 'time')
    return sql`toDateTime64(toStartOfHour(${field(name)}, ${bind('String', timezone)}), 3, 'UTC')`
  throw new Error(`${table}.${name} is not for this user`)
}

/** Texts of a CSV that a spreadsheet would evaluate get an apostrophe, as in `csvCell`. */
const guarded = (value: Sql): Sql =>
  sql`if(match(ifNull(${value}, ''), ${bind('String', formulaStart.source)}) and not match(ifNull(${value}, ''), ${bind('String', negativeNumber.source)}), concat('''', ${value}), ${value})`

const jsonTypes: Record<ExportColumnType, string> = {
  text: 'Nullable(String)',
  integer: 'Nullable(Int64)',
  number: 'Nullable(Float64)',
  boolean: 'Nullable(Bool)',
  time: "Nullable(DateTime64(3, 'UTC'))",
  day: 'Nullable(Date32)',
}

/** A feature (RFC 7946) as JSON text: geometry, then all columns as its properties. */
function feature(content: ExportContent): Sql {
  const { table, columns } = content
  const { geometry } = exportTables[table]
  if (!geometry) throw new Error(`${table} has no geometry`)
  const type = columns.map((name) => `${name} ${jsonTypes[columnOf(table, name).type]}`).join(', ')
  const properties = sql`toJSONString(cast(tuple(${joinSql(
    columns.map((name) => visibleValue(content, name)),
    ', ',
  )}), ${bind('String', `Tuple(${type})`)}))`
  const place =
    geometry === 'wkt'
      ? sql`source.geometry`
      : ((lon, lat) =>
          sql`if(${lon} is null or ${lat} is null, 'null', concat('{"type":"Point","coordinates":[', toString(assumeNotNull(${lon})), ',', toString(assumeNotNull(${lat})), ']}'))`)(
          visibleValue(content, geometry.lon),
          visibleValue(content, geometry.lat),
        )
  return sql`concat('{"type":"Feature","geometry":', ${place}, ',"properties":', ${properties}, '}') as feature`
}

/** Rows in a fixed order. Of rounded rows it does not show the order within an hour, or which belong to one vehicle. */
function orderOf(content: ExportContent): Sql {
  const { table, isExact } = content
  const { time, columns } = exportTables[table]
  const others = Object.entries(columns).filter(
    ([name, { movement }]) =>
      name !== time && (name === 'operator' || movement === 'position' || (isExact && movement === 'id')),
  )
  const names = [...(time ? [time] : []), ...others.map(([name]) => name)]
  return names.length
    ? sql`order by ${joinSql(
        names.map((name) => visibleValue(content, name)),
        ', ',
      )}`
    : sql``
}

/** The statement of the rows that are written, over the rows of the table. */
export function exportSql(content: ExportContent, rows: Sql, order = orderOf(content)): Sql {
  const { table, format, columns } = content
  const selected =
    format === 'geojson'
      ? feature(content)
      : joinSql(
          columns.map((name) => {
            const value = visibleValue(content, name)
            const isGuarded = format === 'csv' && columnOf(table, name).type === 'text'
            return sql`${isGuarded ? guarded(value) : value} as ${identifier(name)}`
          }),
          ', ',
        )
  return sql`select ${selected} from (${rows}) as source ${order}`
}

/** Reads the rows of a table of the state store that were copied for an export, in the order in which they came. */
export function copiedRows(table: ExportTableName, exportId: string): Sql {
  const values = Object.entries(exportTables[table].columns).map(([name, { type }]) => {
    const text = sql`JSONExtract(row, ${bind('String', name)}, 'Nullable(String)')`
    const value =
      type === 'time'
        ? sql`parseDateTime64BestEffortOrNull(${text}, 3, 'UTC')`
        : type === 'day'
          ? sql`toDate32OrNull(${text})`
          : sql`JSONExtract(row, ${bind('String', name)}, ${bind('String', jsonTypes[type])})`
    return sql`${value} as ${identifier(name)}`
  })
  return sql`
  select ${joinSql(values, ', ')}, line, JSONExtractRaw(row, 'geometry') as geometry
  from ${facts('export_rows')} where export_id = ${bind('UUID', exportId)}`
}

export const copiedOrder: Sql = sql`order by source.line`

/** Rows of a table of the fact store, and the local days that have some. */
export function countSql(table: ExportTableName, source: FactSource, selection: Selection): Sql {
  const { time } = exportTables[table]
  if (!time) throw new Error(`${table} has no time`)
  const day =
    columnOf(table, time).type === 'day'
      ? field(time)
      : sql`toDate(${field(time)}, ${bind('String', selection.timezone)})`
  return sql`
  select count() as rows, uniqExact(${day}) as days, toString(min(${day})) as first_day, toString(max(${day})) as last_day
  from (${source.rows(selection)}) as source`
}
