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

export interface ExportContent {
  table: ExportTableName
  format: ExportFormat
  /** In the order of the file. */
  columns: readonly string[]
  /** If false, ids are left out, and positions and times are rounded. */
  isExact: boolean
  timezone: string
}

/** Decimals of rounded coordinates, which is about a hundred meters. */
const roundedDecimals = bind('UInt8', 3)

const getColumn = (table: ExportTableName, name: string): ExportColumn => {
  const column = exportTables[table].columns[name]
  if (!column) throw new Error(`${table} has no column ${name}`)
  return column
}

const fieldColumn = (name: string): Sql => sql`source.${identifier(name)}`

/** Builds SQL for the value of a column, rounded if the user may not see the exact one. */
function visibleColumn({ table, isExact, timezone }: ExportContent, name: string): Sql {
  const { privacy } = getColumn(table, name)
  if (isExact || privacy === null) return fieldColumn(name)
  if (privacy === 'position') return sql`round(${fieldColumn(name)}, ${roundedDecimals})`
  if (privacy === 'time')
    return sql`toDateTime64(toStartOfHour(${fieldColumn(name)}, ${bind('String', timezone)}), 3, 'UTC')`
  throw new Error(`${table}.${name} is not for this user`)
}

/** Builds SQL that prefixes texts that spreadsheets take for formulas with an apostrophe (`csvCell`). */
const guardedColumn = (value: Sql): Sql => {
  const text = sql`ifNull(${value}, '')`
  const isFormula = sql`match(${text}, ${bind('String', formulaStart.source)})`
  const isNumber = sql`match(${text}, ${bind('String', negativeNumber.source)})`
  return sql`if(${isFormula} and not ${isNumber}, concat('''', ${value}), ${value})`
}

const columnTypes: Record<ExportColumnType, string> = {
  text: 'Nullable(String)',
  integer: 'Nullable(Int64)',
  number: 'Nullable(Float64)',
  boolean: 'Nullable(Bool)',
  time: "Nullable(DateTime64(3, 'UTC'))",
  day: 'Nullable(Date32)',
}

/** Builds SQL for a GeoJSON feature (RFC 7946) as JSON text, with all columns as its properties. */
function featureColumn(content: ExportContent): Sql {
  const { table, columns } = content
  const { geometry } = exportTables[table]
  if (!geometry) throw new Error(`${table} has no geometry`)
  const type = columns.map((name) => `${name} ${columnTypes[getColumn(table, name).type]}`).join(', ')
  const properties = sql`toJSONString(cast(tuple(${joinSql(
    columns.map((name) => visibleColumn(content, name)),
    ', ',
  )}), ${bind('String', `Tuple(${type})`)}))`
  const geometryText =
    geometry === 'wkt'
      ? sql`source.geometry`
      : pointColumn(visibleColumn(content, geometry.lon), visibleColumn(content, geometry.lat))
  return sql`concat('{"type":"Feature","geometry":', ${geometryText}, ',"properties":', ${properties}, '}') as feature`
}

/** Builds SQL for a GeoJSON point as JSON text; the text `null` if a coordinate is missing. */
const pointColumn = (lon: Sql, lat: Sql): Sql => {
  const [x, y] = [lon, lat].map((coordinate) => sql`toString(assumeNotNull(${coordinate}))`) as [Sql, Sql]
  const point = sql`concat('{"type":"Point","coordinates":[', ${x}, ',', ${y}, ']}')`
  return sql`if(${lon} is null or ${lat} is null, 'null', ${point})`
}

/** Builds SQL for a stable order, which discloses neither sequences in an hour nor vehicles if rounded. */
function orderSql(content: ExportContent): Sql {
  const { table, isExact } = content
  const { time, columns } = exportTables[table]
  const otherColumns = Object.entries(columns).filter(
    ([name, { privacy }]) =>
      name !== time && (name === 'operator' || privacy === 'position' || (isExact && privacy === 'id')),
  )
  const names = [...(time ? [time] : []), ...otherColumns.map(([name]) => name)]
  return names.length
    ? sql`order by ${joinSql(
        names.map((name) => visibleColumn(content, name)),
        ', ',
      )}`
    : sql``
}

/** Builds the query for the content of a file, from the rows of its table. */
export function buildExportSql(content: ExportContent, rows: Sql, order = orderSql(content)): Sql {
  const { table, format, columns } = content
  const selectedColumns =
    format === 'geojson'
      ? featureColumn(content)
      : joinSql(
          columns.map((name) => {
            const value = visibleColumn(content, name)
            const isGuarded = format === 'csv' && getColumn(table, name).type === 'text'
            return sql`${isGuarded ? guardedColumn(value) : value} as ${identifier(name)}`
          }),
          ', ',
        )
  return sql`select ${selectedColumns} from (${rows}) as source ${order}`
}

/** Builds SQL for the rows of a state store table that were copied to the fact store for an export. */
export function copiedRows(table: ExportTableName, exportId: string): Sql {
  const values = Object.entries(exportTables[table].columns).map(([name, { type }]) => {
    const text = sql`JSONExtract(row, ${bind('String', name)}, 'Nullable(String)')`
    const toValue = (): Sql => {
      if (type === 'time') return sql`parseDateTime64BestEffortOrNull(${text}, 3, 'UTC')`
      if (type === 'day') return sql`toDate32OrNull(${text})`
      return sql`JSONExtract(row, ${bind('String', name)}, ${bind('String', columnTypes[type])})`
    }
    return sql`${toValue()} as ${identifier(name)}`
  })
  return sql`
  select ${joinSql(values, ', ')}, line, JSONExtractRaw(row, 'geometry') as geometry
  from ${facts('export_rows')} where export_id = ${bind('UUID', exportId)}`
}

/** The order in which rows were copied. */
export const copiedOrder: Sql = sql`order by source.line`

/** Builds SQL that counts the rows of a fact store table and the local days with rows. */
export function countSql(table: ExportTableName, source: FactSource, selection: Selection): Sql {
  const { time } = exportTables[table]
  if (!time) throw new Error(`${table} has no time`)
  const day =
    getColumn(table, time).type === 'day'
      ? fieldColumn(time)
      : sql`toDate(${fieldColumn(time)}, ${bind('String', selection.timezone)})`
  return sql`
  select
    count() as rows,
    uniqExact(${day}) as days,
    toString(min(${day})) as first_day,
    toString(max(${day})) as last_day
  from (${source.rows(selection)}) as source`
}
