export type CsvValue = string | number | boolean | null | undefined

/** How text begins that spreadsheets evaluate, except negative numbers. ClickHouse has the same patterns. */
export const formulaStart = /^[=+@\t\r-]/
export const negativeNumber = /^-[0-9]+([.][0-9]+)?$/

/** Formats a CSV cell (RFC 4180). Prefixes text with an apostrophe if it would be evaluated as a formula. */
export function csvCell(value: CsvValue): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const safe = formulaStart.test(value) && !negativeNumber.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Returns a row of a CSV file, without a line break. */
export const csvLine = (values: readonly CsvValue[]): string => values.map(csvCell).join(',')
