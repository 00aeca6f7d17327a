import type { TFunction } from 'i18next'
import type { SheetData } from 'write-excel-file/browser'
import { csvLine } from '#contract/csv.ts'
import type { DownloadFormat } from './download-button.tsx'
import { formatInteger } from './format.ts'
import type { CellValue, TableColumn } from './table/table-column.ts'

/** Rows of a file to download, with the titles of their columns. */
export interface TableFile {
  titles: readonly string[]
  rows: Iterable<readonly CellValue[]>
}

/** Maximum number of rows of an XLSX file, which is written in memory. */
const maxXlsxRows = 200_000

/** Converts a table to a file, without its columns of buttons. */
export function toTableFile<T>(rows: readonly T[], columns: readonly TableColumn<T>[]): TableFile {
  const exportedColumns = columns.filter((column) => !column.isActions)
  return {
    titles: exportedColumns.map((column) => column.title),
    rows: rows.map((row) => exportedColumns.map((column) => column.value(row))),
  }
}

/** Converts a file to CSV, one line at a time, because the cells of millions of rows would not fit into memory. */
function serializeCsv({ titles, rows }: TableFile): string {
  const lines = [csvLine(titles)]
  for (const row of rows) lines.push(csvLine(row))
  return `${lines.join('\r\n')}\r\n`
}

/** Parses a CSV file. Cells become numbers only if these print as the same text: `007` stays text. */
export async function parseCsv(csv: string): Promise<TableFile> {
  const { default: Papa } = await import('papaparse')
  const [titles = [], ...rows] = Papa.parse<string[]>(csv.trim()).data
  const parseCell = (cell: string): CellValue =>
    cell !== '' && String(Number(cell)) === cell ? Number(cell) : cell
  return { titles, rows: rows.map((row) => row.map(parseCell)) }
}

/** Converts a table to CSV with column titles. */
export const toCsv = <T>(rows: readonly T[], columns: readonly TableColumn<T>[]): string =>
  serializeCsv(toTableFile(rows, columns))

/** Converts a file to an XLSX sheet with a sticky bold first row. Numbers are numbers, texts no formulas. */
async function toXlsx(t: TFunction, { titles, rows }: TableFile): Promise<Blob> {
  const { default: writeXlsxFile } = await import('write-excel-file/browser')
  const sheet: SheetData = [titles.map((value) => ({ value, fontWeight: 'bold' }))]
  for (const row of rows) {
    if (sheet.length > maxXlsxRows)
      throw new Error(t('kit:file.tooLong', { rows: formatInteger(maxXlsxRows) }))
    sheet.push([...row])
  }
  const columns = titles.map((title) => ({ width: Math.max(12, title.length + 2) }))
  return writeXlsxFile(sheet, { stickyRowsCount: 1, columns }).toBlob()
}

interface FileSource {
  /** File name without extension. */
  fileName: string
  load: (onProgress: (fraction: number) => void) => Promise<TableFile> | TableFile
  /** Content of the file, such as "Daily data", if a menu has several files. */
  name?: string
}

/** Returns the download formats of a table: CSV and XLSX. */
export function getTableFormats(t: TFunction, { fileName, load, name }: FileSource): DownloadFormat[] {
  const createLabel = (format: string): string => (name === undefined ? format : `${name} (${format})`)
  return [
    {
      fileName: `${fileName}.csv`,
      label: createLabel(t('kit:file.csv')),
      load: async (onProgress) => serializeCsv(await load(onProgress)),
    },
    {
      fileName: `${fileName}.xlsx`,
      label: createLabel(t('kit:file.xlsx')),
      mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      load: async (onProgress) => toXlsx(t, await load(onProgress)),
    },
  ]
}
