import fs from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import yazl from 'yazl'
import { complianceMethodVersion } from '#contract/compliance.ts'
import { csvLine } from '#contract/csv.ts'
import {
  exportDefinitionsVersion,
  exportTableNames,
  exportTables,
  type ExportTableName,
} from '#contract/export-tables.ts'
import { type LocalDay, localDay, getMonthPeriod } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import type { WriteOptions } from '#server/stores/engine.ts'
import { toSelection } from './check-question.ts'
import { computeChecksum } from './export-files.ts'
import type { RowCounts, Selection, StateContext } from './tables/export-source.ts'
import { countRows, writeTable } from './write-table.ts'

/** Formats in which a table is included in a zip. */
const tableFormats = [
  { format: 'csv', extension: 'csv' },
  { format: 'parquet', extension: 'parquet' },
] as const

/** Returns the data dictionary as CSV: every column of every table. */
export const writeDataDictionary = (): string =>
  [
    ['table', 'column', 'type', 'unit', 'description'],
    ...exportTableNames.flatMap((table) =>
      Object.entries(exportTables[table].columns).map(([name, { type, unit, description }]) => [
        table,
        name,
        type,
        unit,
        description,
      ]),
    ),
  ]
    .map((cells) => `${csvLine(cells)}\r\n`)
    .join('')

/** A table as the manifest describes it. */
interface ZippedTable extends RowCounts {
  table: ExportTableName
  description: string
  files: { name: string; rows: number; bytes: number; sha256: string }[]
}

/** The export that a zip is written for, and what it is written from. */
interface ZipContext extends StateContext {
  exportId: string
  organizationId: string
}

interface ZipContent {
  /** Local days, both included. */
  period: { start_date: LocalDay; end_date: LocalDay }
  /** Slugs; empty for all. */
  operators: readonly string[]
  tables: readonly ExportTableName[]
  manifestFields: Record<string, unknown>
  files: readonly { name: string; content: string }[]
}

/** Where a zip is written, and how its progress is reported. */
interface ZipTarget extends WriteOptions {
  /** Path of the zip. Files of tables are written beside it and removed. */
  path: string
  /** Receives the number of rows that are known so far. */
  onTotal: (rows: number) => void
}

/** Tables that can be limited to an operator. */
const operatorTables = exportTableNames.filter((table) =>
  (exportTables[table].filters as readonly string[]).includes('operators'),
)

/** A day before the first trip in any feed. */
const dayBeforeAllTrips = '2015-01-01'

/** Writes the zip of a month: tables as CSV and Parquet, manifest, dictionary. Returns the row count. */
export const buildMonthlyZip = (
  context: ZipContext,
  region: Region,
  { month, version }: { month: string; version: number },
  target: ZipTarget,
): Promise<number> =>
  buildZip(
    context,
    region,
    {
      period: getMonthPeriod(month),
      operators: [],
      tables: exportTableNames,
      manifestFields: { month, version },
      files: [],
    },
    target,
  )

/** Writes a zip of all stored data of an operator in a region, without secrets. Returns the row count. */
export async function buildOperatorZip(
  context: ZipContext,
  region: Region,
  operator: string,
  target: ZipTarget,
): Promise<number> {
  const stateRows = await context.state.maintenance.rowsOfOperator(
    { operator, regionId: region.regionId, organizationId: context.organizationId },
    maxStateRows,
  )
  return buildZip(
    context,
    region,
    {
      period: { start_date: dayBeforeAllTrips, end_date: localDay(context.at, region.timezone) },
      operators: [operator],
      tables: operatorTables,
      manifestFields: { operator },
      files: [{ name: 'state.json', content: `${JSON.stringify(stateRows, null, 2)}\n` }],
    },
    target,
  )
}

/** Maximum rows of each table of the state store in the zip of an operator. */
const maxStateRows = 100_000

/** Writes a table in all formats beside the zip, and adds the files to it. */
async function addTable(
  zip: yazl.ZipFile,
  context: ZipContext,
  { table, selection }: { table: ExportTableName; selection: Selection },
  {
    path: zipPath,
    signal,
    temporaryFiles,
  }: Pick<ZipTarget, 'path' | 'signal'> & { temporaryFiles: string[] },
): Promise<ZippedTable> {
  const files = tableFormats.map(({ format, extension }) => ({
    table,
    format,
    columns: [],
    isExact: true,
    isPlain: true,
    selection,
    name: `${table}.${extension}`,
    path: `${zipPath}-${table}.${extension}`,
  }))
  temporaryFiles.push(...files.map(({ path }) => path))
  const counts = await writeTable(context, files, { signal })
  const zippedFiles: ZippedTable['files'] = []
  for (const [index, { name, path }] of files.entries()) {
    zippedFiles.push({ name, rows: counts[index] ?? 0, ...(await computeChecksum(path)) })
    zip.addFile(path, name, { mtime: context.at, compress: !name.endsWith('.parquet') })
  }
  return {
    table,
    description: exportTables[table].description,
    files: zippedFiles,
    ...(await countRows(context, table, selection)),
  }
}

/** Writes a zip of tables with a manifest. Returns the number of rows. */
async function buildZip(
  context: ZipContext,
  region: Region,
  { period, operators, tables: tableNames, manifestFields, files: additionalFiles }: ZipContent,
  { path, signal, onProgress, onTotal }: ZipTarget,
): Promise<number> {
  const tables: ZippedTable[] = []
  let rows = 0
  const zip = new yazl.ZipFile()
  const addText = (name: string, text: string): void =>
    zip.addBuffer(Buffer.from(text), name, { mtime: context.at })
  const output = Readable.from(zip.outputStream)
  // Without this, a file that cannot be read would leave the output open forever.
  zip.on('error', (error: Error) => output.destroy(error))
  const temporaryFiles: string[] = []
  try {
    const selection = toSelection(region, {
      ...period,
      operators: [...operators],
      vehicle_types: [],
      shape_layer_uuid: null,
      columns: [],
    })
    for (const table of tableNames) {
      signal?.throwIfAborted()
      const zippedTable = await addTable(zip, context, { table, selection }, { path, signal, temporaryFiles })
      tables.push(zippedTable)
      // All files of a table have the same rows.
      rows += zippedTable.files[0]?.rows ?? 0
      onTotal(rows)
      onProgress?.(rows)
    }
    const manifest = {
      region_id: region.regionId,
      region: region.text,
      ...manifestFields,
      ...period,
      time_zone: region.timezone,
      created_time: context.at.toISOString(),
      definitions: { tables: exportDefinitionsVersion, compliance: complianceMethodVersion },
      rows,
      tables,
    }
    addText('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`)
    for (const { name, content } of additionalFiles) addText(name, content)
    addText('data-dictionary.csv', writeDataDictionary())
    zip.end()
    const file = fs.createWriteStream(path, { mode: 0o600, flush: true })
    await pipeline(output, file, signal ? { signal } : {})
    return rows
  } finally {
    for (const temporaryFile of temporaryFiles) await fs.promises.rm(temporaryFile, { force: true })
  }
}
