import { csvLine } from '#contract/csv.ts'
import type { TFunction } from 'i18next'
import type { SheetData } from 'write-excel-file/browser'
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

/** A table as a file, without its columns of buttons. */
export function tableFile<T>(rows: readonly T[], columns: readonly TableColumn<T>[]): TableFile {
  const exported = columns.filter((column) => !column.isActions)
  return {
    titles: exported.map((column) => column.title),
    rows: rows.map((row) => exported.map((column) => column.value(row))),
  }
}

/** One line at a time: the cells of a file of millions of rows would not fit into memory. */
function csvOfFile({ titles, rows }: TableFile): string {
  const lines = [csvLine(titles)]
  for (const row of rows) lines.push(csvLine(row))
  return `${lines.join('\r\n')}\r\n`
}

/** A file of the server. Numbers are numbers, unless they are ids that start with zero. */
export async function parseCsv(csv: string): Promise<TableFile> {
  const { default: Papa } = await import('papaparse')
  const [titles = [], ...rows] = Papa.parse<string[]>(csv.trim()).data
  const read = (cell: string): CellValue =>
    cell !== '' && String(Number(cell)) === cell ? Number(cell) : cell
  return { titles, rows: rows.map((row) => row.map(read)) }
}

/** Converts a table to CSV with column titles. */
export const toCsv = <T>(rows: readonly T[], columns: readonly TableColumn<T>[]): string =>
  csvOfFile(tableFile(rows, columns))

/** One sheet with a bold first row that stays in view. Numbers are numbers, text is never a formula. */
async function xlsxOfFile(t: TFunction, { titles, rows }: TableFile): Promise<Blob> {
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
  /** Without extension. */
  fileName: string
  load: (onProgress: (share: number) => void) => Promise<TableFile> | TableFile
  /** What the file contains, where a menu has several: "Daily data". */
  name?: string
}

/** The formats in which a table is downloaded: CSV and XLSX. */
export function tableFormats(t: TFunction, { fileName, load, name }: FileSource): DownloadFormat[] {
  const label = (format: string): string => (name === undefined ? format : `${name} (${format})`)
  return [
    {
      fileName: `${fileName}.csv`,
      label: label(t('kit:file.csv')),
      load: async (onProgress) => csvOfFile(await load(onProgress)),
    },
    {
      fileName: `${fileName}.xlsx`,
      label: label(t('kit:file.xlsx')),
      media: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      load: async (onProgress) => xlsxOfFile(t, await load(onProgress)),
    },
  ]
}
