import { plainName } from '../layouts/layout.ts'
import type { IssueReport } from '#server/issues/issue-report.ts'
import { addEvidence, type DateEvidence, ordersOf } from '#server/archives/date-orders.ts'
import type { DateOrder } from '#server/archives/read-time.ts'
import type { CivilClock } from '#contract/civil-clock.ts'
import { retainedFields } from '../personal-columns.ts'
import { type IssueColumns, issueColumns, usedColumns } from './issue-columns.ts'
import { issueRowReader, type NoIssue } from './read-issue-row.ts'

/** A record of a list: names and values as they came. */
export type IssueRecord = Readonly<Record<string, unknown>>

/** What a field holds as text; a place or an address in a field of its own is taken apart by `flat`. */
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : ''

const isRecord = (value: unknown): value is IssueRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A record with the fields of its fields beside its own: `location: { latitude }` as `location latitude`. */
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

/** Records looked at to know the columns and the order of dates. */
const sampleSize = 500

/** The names that records of a list have, in the order in which they come. */
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

/** What the times of a list of records say about their order, by column. */
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
  /** What may be stored of a record that is set aside: the fields that are read. */
  retained(record: unknown): Record<string, string>
}

/**
 * Makes the reader of records of one list; null where they are no 311 requests. `answered`: the order of dates that the
 * list itself does not settle; without it only dates with the year first are read there.
 */
export function issueRecordReader(
  records: readonly unknown[],
  clock: CivilClock,
  answered: DateOrder | null,
): IssueRecordReader | null {
  const list = rowsOf(records.filter(isRecord))
  if (!list) return null
  const { header, columns, rowOf } = list
  const orderOf = ordersOf(issueDates(records), answered)
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
