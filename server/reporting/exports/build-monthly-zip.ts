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
import { dayFromNumber, dayNumber, type LocalDay, startOfMonth } from '#contract/period.ts'
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

/** Writes the zip of a month to `part`: every table as CSV and Parquet, a manifest and a data dictionary. Returns the number of rows. */
export async function buildMonthlyZip(
  context: ZipContext,
  region: Region,
  { month, version }: { month: string; version: number },
  part: string,
  { signal, onProgress, onTotal }: WriteOptions & { onTotal: (rows: number) => void },
): Promise<number> {
  const period = daysOfMonth(month)
  const tables: ZippedTable[] = []
  let rows = 0
  const zip = new yazl.ZipFile()
  const output = Readable.from(zip.outputStream)
  // A file that cannot be read ends the zip.
  zip.on('error', (error: Error) => output.destroy(error))
  const written: string[] = []
  try {
    for (const table of exportTableNames) {
      signal?.throwIfAborted()
      const selection = selectionOf(region, {
        ...period,
        operators: [],
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
      month,
      version,
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
    zip.addBuffer(Buffer.from(dataDictionary()), 'data-dictionary.csv', { mtime: context.at })
    zip.end()
    const file = fs.createWriteStream(part, { mode: 0o600, flush: true })
    await pipeline(output, file, signal ? { signal } : {})
    return rows
  } finally {
    for (const path of written) await fs.promises.rm(path, { force: true })
  }
}
