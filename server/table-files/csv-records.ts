import Papa from 'papaparse'
import { maxLineLength } from './text-lines.ts'
import { TableFileError } from './table-file-error.ts'

/** One record of a CSV file: where it starts (line 1 is the header) and its fields; null where a quotation mark never closes. */
export interface CsvRecord {
  line: number
  fields: string[] | null
  raw: string
}

/**
 * A quoted field may run over this many lines, and its record may be as long as a line: a mark still open then is a fault of its
 * own line only.
 */
const maxLines = 50

/** More empty rows than this in succession are no table: each costs time and says nothing. */
const maxEmptyRows = 100_000
const isEmptyRow = (raw: string): boolean => /^[\s,;|"]*$/.test(raw)

function hasOpenMark(text: string): boolean {
  let isOpen = false
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) isOpen = !isOpen
  return isOpen
}

export type Delimiter = ',' | ';' | '\t' | '|'

/** The delimiter that a header line uses most. */
export function delimiterOf(header: string): Delimiter {
  const outside = header.replace(/"[^"]*"/g, '')
  const counts = ([',', ';', '\t', '|'] as const).map((sign) => ({ sign, count: outside.split(sign).length }))
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).sign
}

function fieldsOf(raw: string, delimiter: Delimiter): string[] | null {
  if (!raw.includes('"')) return raw.split(delimiter)
  const { data, errors } = Papa.parse<string[]>(raw, { delimiter, newline: '\n' })
  return errors.some(({ type }) => type === 'Quotes') || data.length !== 1 ? null : (data[0] ?? null)
}

/**
 * Cuts lines into records. Most records are one line; an open quotation mark joins the next lines until it closes, and where
 * it does not (or the joined record is no fit for the header) only its own line is faulty: the rows after it are not lost.
 * Throws TableFileError for too many empty rows in succession.
 */
export async function* csvRecords(lines: AsyncIterable<string[]>): AsyncGenerator<CsvRecord[]> {
  let waiting: string[] = []
  let line = 0
  let delimiter: Delimiter | null = null
  let width = 0
  let emptyRows = 0
  const take = (atEnd: boolean): CsvRecord[] => {
    const records: CsvRecord[] = []
    let next = 0
    while (next < waiting.length) {
      const raw = waiting[next] as string
      delimiter ??= delimiterOf(raw)
      const isQuoted = raw.includes('"')
      let isOpen = isQuoted && hasOpenMark(raw)
      let used = 1
      let length = raw.length
      const mayContinue = (): boolean => isOpen && used < maxLines && length <= maxLineLength
      while (mayContinue() && next + used < waiting.length) {
        const more = waiting[next + used++] as string
        length += more.length
        if (hasOpenMark(more)) isOpen = !isOpen
      }
      if (mayContinue() && !atEnd) break
      let whole = used > 1 ? waiting.slice(next, next + used).join('\n') : raw
      let fields = isOpen || length > maxLineLength ? null : fieldsOf(whole, delimiter)
      if (used > 1 && (fields === null || (width > 0 && fields.length !== width))) {
        ;[fields, used, whole] = [null, 1, raw]
      }
      line += used
      next += used
      emptyRows = isEmptyRow(whole) ? emptyRows + 1 : 0
      if (emptyRows > maxEmptyRows)
        throw new TableFileError(
          `The file has more than 100,000 empty rows in succession (up to line ${line}). Remove them and send it again.`,
        )
      if (whole === '') continue
      if (width === 0 && fields) width = fields.length
      records.push({ line: line - used + 1, fields, raw: whole })
    }
    waiting = waiting.slice(next)
    return records
  }
  for await (const more of lines) {
    waiting = waiting.length ? waiting.concat(more) : more
    yield take(false)
  }
  yield take(true)
}
