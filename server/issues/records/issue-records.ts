import { plainName, retainedFields } from '#server/table-files/column-names.ts'
import type { IssueReport } from '../issue-report.ts'
import { addEvidence, type DateEvidence, createOrderLookup } from '#server/table-files/date-orders.ts'
import type { DateOrder } from '#server/table-files/read-time.ts'
import type { CivilClock } from '#contract/civil-clock.ts'
import { type IssueColumns, issueColumns, usedColumns } from './issue-columns.ts'
import { issueRowReader, type NoIssue } from './read-issue-row.ts'

/** A record of a list: names and values as received. */
export type IssueRecord = Readonly<Record<string, unknown>>

/** A field as text; nested places and addresses are handled by `flat`. */
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : ''

const isRecord = (value: unknown): value is IssueRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A record with nested fields at the top level: `location: { latitude }` as `location latitude`. */
export function flat(record: IssueRecord): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(record)) {
    if (isRecord(value)) {
      const point = value['coordinates']
      if (value['type'] === 'Point' && Array.isArray(point))
        found['point'] = `POINT (${textOf(point[0])} ${textOf(point[1])})`
      else for (const [inner, text] of Object.entries(value)) found[`${name} ${inner}`] = textOf(text)
    } else found[name] = textOf(value)
  }
  return found
}

/** Records that are examined for columns and the order of dates. */
const sampleSize = 500

/** The field names of a list of records, in order of occurrence. */
export function headerOf(records: readonly IssueRecord[]): string[] {
  const names = new Map<string, string>()
  for (const record of records.slice(0, sampleSize))
    for (const name of Object.keys(flat(record)))
      if (!names.has(plainName(name))) names.set(plainName(name), name)
  return [...names.values()]
}

/** Columns of times in a list of requests. */
export const timeColumns = ({ requested, closed, updated, statusTime }: IssueColumns): number[] => [
  ...new Set([...requested, ...closed, ...updated, ...statusTime]),
]

/** The rows of a list of records, by the columns of its header. */
function rowsOf(records: readonly IssueRecord[]) {
  const header = headerOf(records)
  const columns = issueColumns(header)
  const plain = header.map(plainName)
  const rowOf = (record: IssueRecord): string[] => {
    const fields = new Map(Object.entries(flat(record)).map(([name, text]) => [plainName(name), text]))
    return plain.map((name) => fields.get(name) ?? '')
  }
  return columns && { header, columns, rowOf }
}

/** Evidence for the order of dates in a list of records, by column. */
export function issueDates(records: readonly unknown[]): Record<string, DateEvidence> {
  const list = rowsOf(records.filter(isRecord))
  const dates: Record<string, DateEvidence> = {}
  if (!list) return dates
  const places = timeColumns(list.columns)
  for (const record of records.filter(isRecord)) {
    const row = list.rowOf(record)
    for (const place of places)
      addEvidence((dates[list.header[place] ?? ''] ??= {}), (row[place] ?? '').trim())
  }
  return dates
}

export interface IssueRecordReader {
  read(record: unknown): IssueReport | NoIssue
  /** The fields of a rejected record that may be stored: those that are read. */
  retained(record: unknown): Record<string, string>
}

/**
 * Creates a reader of records of a list; null if they are not 311 requests. `answered`: the order of dates if the list itself does not
 * settle it; without it only dates with the year first are read.
 */
export function issueRecordReader(
  records: readonly unknown[],
  clock: CivilClock,
  answered: DateOrder | null,
): IssueRecordReader | null {
  const list = rowsOf(records.filter(isRecord))
  if (!list) return null
  const { header, columns, rowOf } = list
  const orderOf = createOrderLookup(issueDates(records), answered)
  const readRow = issueRowReader({ columns, clock, orderAt: (place) => orderOf(header[place] ?? '') })
  const retained = retainedFields(
    header,
    usedColumns(columns).flatMap((place) => header[place] ?? []),
  )
  return {
    read: (record) => (isRecord(record) ? readRow(rowOf(record)) : { reason: 'not_a_record', detail: '' }),
    retained: (record) => (isRecord(record) ? retained(rowOf(record)) : {}),
  }
}
