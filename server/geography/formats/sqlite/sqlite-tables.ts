import { brokenSqlite } from './broken-sqlite.ts'
import { readColumns, type SqliteColumn } from './read-columns.ts'
import type { SqliteValue } from './read-record.ts'
import { SqliteFile } from './sqlite-file.ts'

/** A table: its columns, and its rows by column name (in lower case). */
export interface SqliteTable {
  columns: SqliteColumn[]
  rows(): Generator<ReadonlyMap<string, SqliteValue>>
}

/** The tables of a database by their name in lower case. Rows throw a sentence where the file is damaged. */
export function sqliteTables(bytes: Uint8Array): {
  tables: ReadonlyMap<string, SqliteTable>
  hasLog: boolean
} {
  const file = new SqliteFile(bytes)
  const tables = new Map<string, SqliteTable>()
  for (const {
    values: [type, name, , root, sql],
  } of guarded(file.rows(1))) {
    if (type !== 'table' || typeof name !== 'string' || typeof root !== 'number' || typeof sql !== 'string')
      continue
    const columns = readColumns(sql)
    const keys = columns.map((column) => column.name.toLowerCase())
    tables.set(name.toLowerCase(), {
      columns,
      *rows() {
        // A column that was added later is missing from older records.
        for (const { rowId, values } of guarded(file.rows(root)))
          yield new Map(keys.map((key, at) => [key, columns[at]?.isRowId ? rowId : (values[at] ?? null)]))
      },
    })
  }
  return { tables, hasLog: file.hasLog }
}

/** Offsets that point out of the file are the file's fault. */
function* guarded<Row>(rows: Generator<Row>): Generator<Row> {
  try {
    yield* rows
  } catch (error) {
    if (error instanceof RangeError) throw brokenSqlite('a row points out of it')
    throw error
  }
}
