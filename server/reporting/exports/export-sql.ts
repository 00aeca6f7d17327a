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

const field = (name: string): Sql => sql`source.${identifier(name)}`

/** Returns the value of a column, rounded if the user may not see the exact one. */
function selectVisibleValue({ table, isExact, timezone }: ExportContent, name: string): Sql {
  const { privacy } = getColumn(table, name)
  if (isExact || privacy === null) return field(name)
  if (privacy === 'position') return sql`round(${field(name)}, ${roundedDecimals})`
  if (privacy === 'time')
    return sql`toDateTime64(toStartOfHour(${field(name)}, ${bind('String', timezone)}), 3, 'UTC')`
  throw new Error(`${table}.${name} is not for this user`)
}

/** Prefixes texts that a spreadsheet would evaluate as formulas with an apostrophe, like `csvCell`. */
const guardFormula = (value: Sql): Sql => {
  const text = sql`ifNull(${value}, '')`
  const isFormula = sql`match(${text}, ${bind('String', formulaStart.source)})`
  const isNumber = sql`match(${text}, ${bind('String', negativeNumber.source)})`
  return sql`if(${isFormula} and not ${isNumber}, concat('''', ${value}), ${value})`
}

const jsonTypes: Record<ExportColumnType, string> = {
  text: 'Nullable(String)',
  integer: 'Nullable(Int64)',
  number: 'Nullable(Float64)',
  boolean: 'Nullable(Bool)',
  time: "Nullable(DateTime64(3, 'UTC'))",
  day: 'Nullable(Date32)',
}

/** Returns a GeoJSON feature (RFC 7946) as JSON text, with all columns as its properties. */
function buildFeatureJson(content: ExportContent): Sql {
  const { table, columns } = content
  const { geometry } = exportTables[table]
  if (!geometry) throw new Error(`${table} has no geometry`)
  const type = columns.map((name) => `${name} ${jsonTypes[getColumn(table, name).type]}`).join(', ')
  const properties = sql`toJSONString(cast(tuple(${joinSql(
    columns.map((name) => selectVisibleValue(content, name)),
    ', ',
  )}), ${bind('String', `Tuple(${type})`)}))`
  const geometryText =
    geometry === 'wkt'
      ? sql`source.geometry`
      : buildPointJson(selectVisibleValue(content, geometry.lon), selectVisibleValue(content, geometry.lat))
  return sql`concat('{"type":"Feature","geometry":', ${geometryText}, ',"properties":', ${properties}, '}') as feature`
}

/** Returns a GeoJSON point as JSON text; `null` if a coordinate is missing. */
const buildPointJson = (lon: Sql, lat: Sql): Sql => {
  const [x, y] = [lon, lat].map((coordinate) => sql`toString(assumeNotNull(${coordinate}))`) as [Sql, Sql]
  const point = sql`concat('{"type":"Point","coordinates":[', ${x}, ',', ${y}, ']}')`
  return sql`if(${lon} is null or ${lat} is null, 'null', ${point})`
}

/**
 * Returns a stable order of rows. The order of rounded rows discloses neither the sequence within an hour nor
 * which rows belong to the same vehicle.
 */
function getOrder(content: ExportContent): Sql {
  const { table, isExact } = content
  const { time, columns } = exportTables[table]
  const others = Object.entries(columns).filter(
    ([name, { privacy }]) =>
      name !== time && (name === 'operator' || privacy === 'position' || (isExact && privacy === 'id')),
  )
  const names = [...(time ? [time] : []), ...others.map(([name]) => name)]
  return names.length
    ? sql`order by ${joinSql(
        names.map((name) => selectVisibleValue(content, name)),
        ', ',
      )}`
    : sql``
}

/** Builds the query for the content of a file, from the rows of its table. */
export function buildExportSql(content: ExportContent, rows: Sql, order = getOrder(content)): Sql {
  const { table, format, columns } = content
  const selected =
    format === 'geojson'
      ? buildFeatureJson(content)
      : joinSql(
          columns.map((name) => {
            const value = selectVisibleValue(content, name)
            const isGuarded = format === 'csv' && getColumn(table, name).type === 'text'
            return sql`${isGuarded ? guardFormula(value) : value} as ${identifier(name)}`
          }),
          ', ',
        )
  return sql`select ${selected} from (${rows}) as source ${order}`
}

/** Reads the rows of a table of the state store that were copied to the fact store for an export. */
export function selectCopiedRows(table: ExportTableName, exportId: string): Sql {
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

/** The order in which rows were copied. */
export const copiedOrder: Sql = sql`order by source.line`

/** Counts the rows of a table of the fact store and the local days with rows. */
export function countSql(table: ExportTableName, source: FactSource, selection: Selection): Sql {
  const { time } = exportTables[table]
  if (!time) throw new Error(`${table} has no time`)
  const day =
    getColumn(table, time).type === 'day'
      ? field(time)
      : sql`toDate(${field(time)}, ${bind('String', selection.timezone)})`
  return sql`
  select
    count() as rows,
    uniqExact(${day}) as days,
    toString(min(${day})) as first_day,
    toString(max(${day})) as last_day
  from (${source.rows(selection)}) as source`
}
