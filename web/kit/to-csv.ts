import { csvLine } from '#contract/csv.ts'
import type { TableColumn } from './table/table-column.ts'

/** Converts a table to CSV with column titles. */
export function toCsv<T>(rows: readonly T[], columns: readonly TableColumn<T>[]): string {
  const exported = columns.filter((column) => !column.isActions)
  const lines = [
    exported.map((column) => column.title),
    ...rows.map((row) => exported.map((column) => column.value(row))),
  ]
  return `${lines.map(csvLine).join('\r\n')}\r\n`
}
