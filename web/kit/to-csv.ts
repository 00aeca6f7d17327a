import type { CellValue, TableColumn } from './table/table-column.ts'

/**
 * Prevents formula injection: spreadsheets evaluate text that starts like a formula, unless an apostrophe
 * precedes it.
 */
const escapeFormula = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

function formatCell(value: CellValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = escapeFormula(value)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Converts a table to CSV (RFC 4180) with column titles. */
export function toCsv<T>(rows: readonly T[], columns: readonly TableColumn<T>[]): string {
  const exported = columns.filter((column) => !column.isActions)
  const lines = [
    exported.map((column) => formatCell(column.title)),
    ...rows.map((row) => exported.map((column) => formatCell(column.value(row)))),
  ]
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`
}
