import { getExportColumns, exportTables, type ExportTableName } from '#contract/export-tables.ts'
import type { ExportFormat } from '#contract/exports.ts'
import { regionScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { WriteOptions } from '#server/stores/engine.ts'
import type { Scope } from '#server/stores/scope.ts'
import { copiedOrder, copiedRows, countSql, buildExportSql } from './export-sql.ts'
import type { RowCounts, Selection, StateContext, StateSource } from './tables/export-source.ts'
import { exportSources } from './tables/list.ts'

/** Limits of a query that writes a file. Large sorts use the disk instead of more memory. */
const limits = { seconds: 600, memory: 2 * 2 ** 30 }
/** Characters of rows that are copied by one insert. */
const copyBatchLength = 4 * 2 ** 20

/** Escapes a text for a tab-separated line. */
const escapeText = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n')

/** Copies rows of the state store to the fact store, which writes the files. Returns the number of rows. */
async function copyRows(
  { facts, scope, exportId, regionId }: { facts: Facts; scope: Scope; exportId: string; regionId: string },
  batches: ReturnType<StateSource['rows']>,
  signal?: AbortSignal,
): Promise<number> {
  let line = 0
  let batch = ''
  const insertBatch = async (): Promise<void> => {
    if (batch)
      await facts.insert(scope, 'export_rows', {
        columns: ['region_id', 'export_id', 'line', 'row'],
        regionId,
        lines: Buffer.from(batch),
        areDistinct: true,
      })
    batch = ''
  }
  for await (const rows of batches) {
    signal?.throwIfAborted()
    for (const row of rows) {
      batch += `${regionId}\t${exportId}\t${line++}\t${escapeText(JSON.stringify(row))}\n`
      if (batch.length > copyBatchLength) await insertBatch()
    }
  }
  await insertBatch()
  return line
}

/** Counts the rows of a selection and the days with rows, as far as possible without computing anything. */
export async function countRows(
  context: StateContext,
  table: ExportTableName,
  selection: Selection,
): Promise<RowCounts> {
  const source = exportSources[table]
  if (source.kind === 'state') return source.count(context, selection)
  const [row] = await context.facts.rows<{ rows: string; days: string; first_day: string; last_day: string }>(
    context.scope,
    countSql(table, source, selection),
    context.signal ? { signal: context.signal } : {},
  )
  const rows = Number(row?.rows ?? 0)
  return {
    rows,
    days: Number(row?.days ?? 0),
    first_day: rows > 0 ? (row?.first_day ?? null) : null,
    last_day: rows > 0 ? (row?.last_day ?? null) : null,
  }
}

export interface TableFile {
  table: ExportTableName
  format: ExportFormat
  /** Empty for all. */
  columns: readonly string[]
  isExact: boolean
  selection: Selection
  path: string
  /** Whether a CSV is not compressed. */
  isPlain?: boolean
}

/**
 * Writes the rows of a table to one or more files. Rows of the state store are copied to the fact store once.
 * Returns the number of rows of each file. Leaves incomplete files behind if it fails.
 */
export async function writeTable(
  context: StateContext & { exportId: string; organizationId: string },
  files: readonly TableFile[],
  { onTotal, ...options }: WriteOptions & { onTotal?: (rows: number) => void } = {},
): Promise<number[]> {
  const { facts, exportId, organizationId } = context
  const [firstFile] = files
  if (!firstFile) return []
  const { table, selection } = firstFile
  const source = exportSources[table]
  const scopeOfRegion = regionScope(organizationId, selection.regionId)
  if (source.kind === 'state') {
    await facts.emptyExports([exportId])
    onTotal?.(
      await copyRows(
        { facts, scope: scopeOfRegion, exportId, regionId: selection.regionId },
        source.rows(context, selection),
        options.signal,
      ),
    )
  } else onTotal?.((await countRows(context, table, selection)).rows ?? 0)
  const counts: number[] = []
  for (const { format, columns, isExact, path, isPlain = false } of files) {
    const content = {
      table,
      format,
      isExact,
      timezone: selection.timezone,
      columns: columns.length ? columns : getExportColumns(table, isExact),
    }
    const statement =
      source.kind === 'state'
        ? buildExportSql(content, copiedRows(table, exportId), copiedOrder)
        : buildExportSql(content, source.rows(selection))
    counts.push(
      await facts.write(
        source.kind === 'state' ? scopeOfRegion : context.scope,
        statement,
        { path, format: format === 'csv' && !isPlain ? 'csv.gz' : format },
        { ...options, limits },
      ),
    )
  }
  if (source.kind === 'state') await facts.emptyExports([exportId])
  return counts
}

/** Formats in which a table can be exported. */
export const listFormats = (table: ExportTableName): ExportFormat[] =>
  exportTables[table].geometry ? ['csv', 'parquet', 'geojson'] : ['csv', 'parquet']
