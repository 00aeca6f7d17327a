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
import { dayFromNumber, dayNumber, type LocalDay, localDay, startOfMonth } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import type { WriteOptions } from '#server/stores/engine.ts'
import { selectionOf } from './check-question.ts'
import { checksumOf } from './export-files.ts'
import type { Counted, StateContext } from './tables/export-source.ts'
import { countRows, writeTable } from './write-table.ts'

/** First and last local day of a month. */
export const daysOfMonth = (month: string): { start_date: LocalDay; end_date: LocalDay } => ({
  start_date: `${month}-01`,
  end_date: dayFromNumber(dayNumber(startOfMonth(`${month}-01`, -1)) - 1),
})

/** The files of a table within the zip. */
const filesOfTable = [
  { format: 'csv', extension: 'csv' },
  { format: 'parquet', extension: 'parquet' },
] as const

/** Every column of every table. */
export const dataDictionary = (): string =>
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

interface ZippedTable extends Counted {
  table: ExportTableName
  description: string
  files: { name: string; rows: number; bytes: number; sha256: string }[]
}

interface ZipContext extends StateContext {
  exportId: string
  organizationId: string
}

/** What a zip has besides its tables. */
interface ZipContent {
  /** Both local days included. */
  period: { start_date: LocalDay; end_date: LocalDay }
  /** Empty: all. */
  operators: readonly string[]
  tables: readonly ExportTableName[]
  /** Fields of the manifest. */
  about: Record<string, unknown>
  files: readonly { name: string; content: string }[]
}

/** Tables with rows of single operators. */
const operatorTables = exportTableNames.filter((table) =>
  (exportTables[table].filters as readonly string[]).includes('operators'),
)

/** Before the first trip that anybody shared. */
const firstDay = '2015-01-01'

/** Writes the zip of a month to `part`: every table as CSV and Parquet, a manifest and a data dictionary. Returns the number of rows. */
export const buildMonthlyZip = (
  context: ZipContext,
  region: Region,
  { month, version }: { month: string; version: number },
  part: string,
  watch: ZipWatch,
): Promise<number> =>
  buildZip(
    context,
    region,
    {
      period: daysOfMonth(month),
      operators: [],
      tables: exportTableNames,
      about: { month, version },
      files: [],
    },
    part,
    watch,
  )

/** Writes everything that is stored about an operator in a region: rows of facts, and of the state store without secrets. */
export async function buildOperatorZip(
  context: ZipContext,
  region: Region,
  operator: string,
  part: string,
  watch: ZipWatch,
): Promise<number> {
  const stored = await context.state.maintenance.rowsOfOperator(
    { operator, regionId: region.regionId, organizationId: context.organizationId },
    maxStateRows,
  )
  return buildZip(
    context,
    region,
    {
      period: { start_date: firstDay, end_date: localDay(context.at, region.timezone) },
      operators: [operator],
      tables: operatorTables,
      about: { operator },
      files: [{ name: 'state.json', content: `${JSON.stringify(stored, null, 2)}\n` }],
    },
    part,
    watch,
  )
}

/** Rows of one table of the state store in a zip. */
const maxStateRows = 100_000

type ZipWatch = WriteOptions & { onTotal: (rows: number) => void }

async function buildZip(
  context: ZipContext,
  region: Region,
  { period, operators, tables: names, about, files: more }: ZipContent,
  part: string,
  { signal, onProgress, onTotal }: ZipWatch,
): Promise<number> {
  const tables: ZippedTable[] = []
  let rows = 0
  const zip = new yazl.ZipFile()
  const output = Readable.from(zip.outputStream)
  // A file that cannot be read ends the zip.
  zip.on('error', (error: Error) => output.destroy(error))
  const written: string[] = []
  try {
    for (const table of names) {
      signal?.throwIfAborted()
      const selection = selectionOf(region, {
        ...period,
        operators: [...operators],
        vehicle_types: [],
        shape_layer_uuid: null,
        columns: [],
      })
      const files = filesOfTable.map(({ format, extension }) => ({
        table,
        format,
        columns: [],
        isExact: true,
        isPlain: true,
        selection,
        name: `${table}.${extension}`,
        path: `${part}-${table}.${extension}`,
      }))
      written.push(...files.map(({ path }) => path))
      const counts = await writeTable(context, files, { signal })
      const zipped: ZippedTable['files'] = []
      for (const [at, { name, path }] of files.entries()) {
        zipped.push({ name, rows: counts[at] ?? 0, ...(await checksumOf(path)) })
        zip.addFile(path, name, { mtime: context.at, compress: !name.endsWith('.parquet') })
      }
      tables.push({
        table,
        description: exportTables[table].description,
        files: zipped,
        ...(await countRows(context, table, selection)),
      })
      rows += counts[0] ?? 0
      onTotal(rows)
      onProgress?.(rows)
    }
    const manifest = {
      region_id: region.regionId,
      region: region.text,
      ...about,
      ...period,
      time_zone: region.timezone,
      created_time: context.at.toISOString(),
      definitions: { tables: exportDefinitionsVersion, compliance: complianceMethodVersion },
      rows,
      tables,
    }
    zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), 'manifest.json', {
      mtime: context.at,
    })
    for (const { name, content } of more) zip.addBuffer(Buffer.from(content), name, { mtime: context.at })
    zip.addBuffer(Buffer.from(dataDictionary()), 'data-dictionary.csv', { mtime: context.at })
    zip.end()
    const file = fs.createWriteStream(part, { mode: 0o600, flush: true })
    await pipeline(output, file, signal ? { signal } : {})
    return rows
  } finally {
    for (const path of written) await fs.promises.rm(path, { force: true })
  }
}
