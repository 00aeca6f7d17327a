import { BoundaryFileError, GeometryProblem } from './boundary-file-error.ts'
import type { FeatureCollector } from './feature-collector.ts'
import type { Projector } from './position-reader.ts'
import { findProjectorByName, findProjectorByWkt } from './projector.ts'
import { readWkb } from './read-wkb.ts'
import { brokenSqlite, SqliteFile, type SqliteValue } from './sqlite-file.ts'

/** A column of a CREATE TABLE statement. */
interface SqliteColumn {
  name: string
  /** In upper case; '' if none is declared. */
  type: string
  /** Whether the column is the row id, which is not part of the record. */
  isRowId: boolean
}

/** Quoted names and texts, comments, and the marks that structure a declaration. */
const declarationTokens = /"(?:[^"]|"")*"|'(?:[^']|'')*'|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|[(),]/g

/** Splits a declaration at the commas within its outermost parentheses, except in quotes and comments. */
function splitDeclaration(sql: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (const { 0: token, index } of sql.matchAll(declarationTokens)) {
    if (token === '(' && ++depth === 1) from = index + 1
    const isEnd = (token === ',' && depth === 1) || (token === ')' && --depth === 0)
    if (!isEnd) continue
    parts.push(sql.slice(from, index))
    from = index + 1
    if (depth === 0) break
  }
  return parts
}

const sqlComments = /--[^\n]*|\/\*[\s\S]*?\*\//g
/** A column name in double quotes, backquotes, brackets, or without quotes. */
const columnName = /^(?:"((?:[^"]|"")*)"|`([^`]*)`|\[([^\]]*)\]|([^\s("]+))/
const tableConstraint = /^(constraint|primary|unique|check|foreign)$/i
/** The type of a column: the first word after its name, unless it begins a constraint. */
const columnType =
  /^(?!(?:not|null|primary|default|unique|check|references|collate|generated|constraint)\b)[a-z0-9_]+/i

/** Reads the columns of a CREATE TABLE statement, in the order of the records. */
export function readColumns(sql: string): SqliteColumn[] {
  return splitDeclaration(sql).flatMap((part): SqliteColumn[] => {
    const text = part.replace(sqlComments, ' ').trim()
    const [nameText = '', quoted, backquoted, bracketed, bare] = columnName.exec(text) ?? []
    if (!nameText || (bare !== undefined && tableConstraint.test(bare))) return []
    const declaration = text.slice(nameText.length).trim()
    const name = quoted?.replaceAll('""', '"') ?? backquoted ?? bracketed ?? bare ?? ''
    const type = (columnType.exec(declaration)?.[0] ?? '').toUpperCase()
    return [{ name, type, isRowId: type === 'INTEGER' && /\bprimary\s+key\b/i.test(declaration) }]
  })
}

/** A table: its columns, and its rows as values by column name (lowercase). */
interface SqliteTable {
  columns: SqliteColumn[]
  rows(): Generator<ReadonlyMap<string, SqliteValue>>
}

/** Reads tables by lowercase name. Reading rows of a damaged file throws BoundaryFileError. */
function readSqliteTables(bytes: Uint8Array): { tables: ReadonlyMap<string, SqliteTable>; hasLog: boolean } {
  const file = new SqliteFile(bytes)
  const tables = new Map<string, SqliteTable>()
  // Page 1 is the root of the table that lists all tables.
  for (const {
    values: [type, name, , root, sql],
  } of convertRangeErrors(file.rows(1))) {
    if (type !== 'table' || typeof name !== 'string' || typeof root !== 'number' || typeof sql !== 'string')
      continue
    const columns = readColumns(sql)
    const keys = columns.map((column) => column.name.toLowerCase())
    tables.set(name.toLowerCase(), {
      columns,
      *rows() {
        // Older records do not contain columns that were added later.
        for (const { rowId, values } of convertRangeErrors(file.rows(root)))
          yield new Map(
            keys.map((key, index) => [key, columns[index]?.isRowId ? rowId : (values[index] ?? null)]),
          )
      },
    })
  }
  return { tables, hasLog: file.hasLog }
}

/** Converts range errors, caused by invalid offsets in the file, to BoundaryFileError. */
function* convertRangeErrors<Row>(rows: Generator<Row>): Generator<Row> {
  try {
    yield* rows
  } catch (error) {
    if (error instanceof RangeError) throw brokenSqlite('a row points out of it')
    throw error
  }
}

type Tables = ReadonlyMap<string, SqliteTable>

/** A geometry follows a header and an envelope with one of these sizes, by its indicator in the flags. */
const headerBytes = 8
const envelopeBytes = [0, 32, 48, 48, 64]

/** Reads the geometry of a GeoPackage blob (OGC 12-128r18, 2.1.3); null if there is none. */
function readGeometry(blob: SqliteValue): unknown {
  if (blob === null) return null
  // Geometries begin with "GP".
  if (!(blob instanceof Uint8Array) || blob[0] !== 0x47 || blob[1] !== 0x50)
    throw new GeometryProblem('bad-geometry', 'has a geometry that is not one of a GeoPackage')
  const flags = blob[3] ?? 0
  const envelope = envelopeBytes[(flags >> 1) & 7]
  if (envelope === undefined) throw new GeometryProblem('bad-geometry', 'has a geometry with an unknown box')
  return readWkb(blob.subarray(headerBytes + envelope))
}

/** Finds the projector for a table's coordinates, by the definition in the file; null for degrees. */
function findProjector(
  tables: Tables,
  srsId: SqliteValue,
  table: string,
  collector: FeatureCollector,
): Projector | null {
  const system = [...(tables.get('gpkg_spatial_ref_sys')?.rows() ?? [])].find(
    (row) => row.get('srs_id') === srsId,
  )
  const code = system?.get('organization_coordsys_id')
  // 4326 is WGS 84; 0 is geographic coordinates without a named system.
  if (code === 4326 || srsId === 4326 || srsId === 0) return null
  const wkt = system?.get('definition')
  if (typeof wkt === 'string' && wkt !== 'undefined' && wkt.trim() !== '')
    return findProjectorByWkt(wkt, table, collector)
  if (typeof code === 'number' && code > 0) return findProjectorByName(`EPSG:${code}`, collector)
  throw new BoundaryFileError(
    'unknown-projection',
    `The GeoPackage does not say in which projection the table “${table}” is. Save it in longitude and latitude (WGS 84, EPSG:4326) and send it again.`,
  )
}

/** Adds the rows of all tables with geometries. */
export function addGeopackage(bytes: Uint8Array, collector: FeatureCollector): void {
  const { tables, hasLog } = readSqliteTables(bytes)
  const geometryColumns = tables.get('gpkg_geometry_columns')
  if (!geometryColumns)
    throw new BoundaryFileError(
      'unknown-format',
      'The file is an SQLite database but no GeoPackage with shapes. Export the shapes as GeoPackage or GeoJSON and send that.',
    )
  if (hasLog)
    collector.note(
      null,
      'open-database',
      'The GeoPackage was copied while it was open in another program: its last changes may be missing. Close it there to be sure.',
    )
  const tableSpans: string[] = []
  let rowCount = 0
  for (const row of geometryColumns.rows()) {
    const name = String(row.get('table_name') ?? '')
    const column = String(row.get('column_name') ?? '').toLowerCase()
    const table = tables.get(name.toLowerCase())
    if (!table) continue
    collector.setProjector(findProjector(tables, row.get('srs_id') ?? null, name, collector))
    const firstRow = rowCount + 1
    for (const values of table.rows()) {
      rowCount += 1
      addRow(collector, { table, geometryColumn: column, values, position: rowCount })
    }
    tableSpans.push(rowCount < firstRow ? `${name} (empty)` : `${name} (rows ${firstRow}–${rowCount})`)
  }
  if (tableSpans.length > 1)
    collector.note(
      null,
      'several-files',
      `The GeoPackage contains ${tableSpans.length} tables of shapes; all were read: ${tableSpans.slice(0, 20).join(', ')}${tableSpans.length > 20 ? ' …' : ''}.`,
    )
}

interface ShapeRow {
  table: SqliteTable
  /** Name of the column with geometries, in lowercase. */
  geometryColumn: string
  /** By column name, in lowercase. */
  values: ReadonlyMap<string, SqliteValue>
  /** Number of the row in the file, from 1. */
  position: number
}

function addRow(collector: FeatureCollector, { table, geometryColumn, values, position }: ShapeRow): void {
  const properties: Record<string, unknown> = {}
  for (const { name, type, isRowId } of table.columns) {
    const key = name.toLowerCase()
    const value = values.get(key) ?? null
    if (key === geometryColumn || isRowId || value instanceof Uint8Array || name === '__proto__') continue
    properties[name] = type === 'BOOLEAN' && value !== null ? value !== 0 : value
  }
  let geometry: unknown
  try {
    geometry = readGeometry(values.get(geometryColumn) ?? null)
  } catch (problem) {
    if (!(problem instanceof GeometryProblem)) throw problem
    collector.note(position, problem.code, `Row ${position} ${problem.message}.`)
    return
  }
  collector.add(position, geometry, properties)
}
