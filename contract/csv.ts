export type CsvValue = string | number | boolean | null | undefined

/**
 * Text that spreadsheets evaluate as a formula starts like this, unless it is a negative number. Where ClickHouse writes the file, it applies
 * the same two patterns.
 */
export const formulaStart = /^[=+@\t\r-]/
export const negativeNumber = /^-[0-9]+([.][0-9]+)?$/

/** Formats a CSV cell (RFC 4180). Text that would be evaluated as a formula gets an apostrophe (formula injection). */
export function csvCell(value: CsvValue): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const safe = formulaStart.test(value) && !negativeNumber.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (values: readonly CsvValue[]): string => values.map(csvCell).join(',')
