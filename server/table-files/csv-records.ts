import Papa from 'papaparse'
import { maxLineLength } from './text-lines.ts'
import { TableFileError } from './table-file-error.ts'

/** A record of a CSV file. */
export interface CsvRecord {
  /** Where it starts; line 1 is the header. */
  line: number
  /** Null if its quotation marks are invalid. */
  fields: string[] | null
  raw: string
}

/**
 * The maximum number of lines of a record, whose length is limited to `maxLineLength` as well. A quotation
 * mark that is not closed by then makes only its own line invalid.
 */
const maxLinesPerRecord = 50

/** A file with more consecutive empty rows than this is rejected: reading them would only take time. */
const maxEmptyRows = 100_000
const isEmptyRow = (raw: string): boolean => /^[\s,;|"]*$/.test(raw)

/** Returns whether a text has an odd number of quotation marks. */
function hasOpenQuote(text: string): boolean {
  let isOpen = false
  for (let index = text.indexOf('"'); index >= 0; index = text.indexOf('"', index + 1)) isOpen = !isOpen
  return isOpen
}

export type Delimiter = ',' | ';' | '\t' | '|'

/** Detects the most frequent delimiter of a header line, outside of quotation marks. */
export function detectDelimiter(header: string): Delimiter {
  const unquoted = header.replace(/"[^"]*"/g, '')
  const counts = ([',', ';', '\t', '|'] as const).map((delimiter) => ({
    delimiter,
    count: unquoted.split(delimiter).length,
  }))
  return counts.reduce((best, candidate) => (candidate.count > best.count ? candidate : best)).delimiter
}

/** Splits a record into fields; null if its quotation marks are invalid. */
function parseFields(raw: string, delimiter: Delimiter): string[] | null {
  if (!raw.includes('"')) return raw.split(delimiter)
  const { data, errors } = Papa.parse<string[]>(raw, { delimiter, newline: '\n' })
  return errors.some(({ type }) => type === 'Quotes') || data.length !== 1 ? null : (data[0] ?? null)
}

/**
 * Splits lines into records. Most records have one line. An open quotation mark joins the following lines
 * until it is closed. If it never is, or if the joined record does not have as many fields as the header,
 * only the line itself is invalid, so that the rows after it are not lost.
 * @throws TableFileError if there are too many consecutive empty rows.
 */
export async function* readCsvRecords(lines: AsyncIterable<string[]>): AsyncGenerator<CsvRecord[]> {
  let pendingLines: string[] = []
  let line = 0
  let delimiter: Delimiter | null = null
  let width = 0
  let emptyRows = 0
  /** Takes all complete records from the pending lines. */
  const takeRecords = (isLastBatch: boolean): CsvRecord[] => {
    const records: CsvRecord[] = []
    let position = 0
    while (position < pendingLines.length) {
      const firstLine = pendingLines[position] as string
      delimiter ??= detectDelimiter(firstLine)
      let isOpen = hasOpenQuote(firstLine)
      let lineCount = 1
      let length = firstLine.length
      const canContinue = (): boolean => isOpen && lineCount < maxLinesPerRecord && length <= maxLineLength
      while (canContinue() && position + lineCount < pendingLines.length) {
        const nextLine = pendingLines[position + lineCount++] as string
        length += nextLine.length
        if (hasOpenQuote(nextLine)) isOpen = !isOpen
      }
      // The next batch of lines may close the quotation mark.
      if (canContinue() && !isLastBatch) break
      let record = lineCount > 1 ? pendingLines.slice(position, position + lineCount).join('\n') : firstLine
      let fields = isOpen || length > maxLineLength ? null : parseFields(record, delimiter)
      if (lineCount > 1 && (fields === null || (width > 0 && fields.length !== width))) {
        fields = null
        lineCount = 1
        record = firstLine
      }
      line += lineCount
      position += lineCount
      emptyRows = isEmptyRow(record) ? emptyRows + 1 : 0
      if (emptyRows > maxEmptyRows)
        throw new TableFileError(
          `The file has more than 100,000 empty rows in succession (up to line ${line}). Remove them and send it again.`,
        )
      if (record === '') continue
      if (width === 0 && fields) width = fields.length
      records.push({ line: line - lineCount + 1, fields, raw: record })
    }
    pendingLines = pendingLines.slice(position)
    return records
  }
  for await (const batch of lines) {
    pendingLines = pendingLines.length ? pendingLines.concat(batch) : batch
    yield takeRecords(false)
  }
  yield takeRecords(true)
}
