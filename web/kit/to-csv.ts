import type { CellValue, TableColumn } from './table-column.ts'

/** Spreadsheets run a text that starts like a formula; an apostrophe keeps it a text. */
const escapeFormula = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

function formatCell(value: CellValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = escapeFormula(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A table as CSV (RFC 4180), with the titles of its columns. */
export function toCsv<T>(rows: readonly T[], columns: readonly TableColumn<T>[]): string {
  const written = columns.filter((column) => !column.isActions)
  const lines = [
    written.map((column) => formatCell(column.title)),
    ...rows.map((row) => written.map((column) => formatCell(column.value(row)))),
  ]
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`
}
