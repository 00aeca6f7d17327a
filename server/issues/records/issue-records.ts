import { toPlainName, createFieldSelector } from '#server/table-files/column-names.ts'
import type { IssueReport } from '../issue-report.ts'
import { addEvidence, type DateEvidence, createOrderLookup } from '#server/table-files/date-orders.ts'
import type { DateOrder } from '#server/table-files/read-time.ts'
import type { CivilClock } from '#contract/civil-clock.ts'
import { type IssueColumns, recognizeIssueColumns, listUsedColumns } from './issue-columns.ts'
import { createIssueRowReader, type NoIssue } from './read-issue-row.ts'

/** A record of a list, with names and values as received. */
export type IssueRecord = Readonly<Record<string, unknown>>

/** Returns a field as text. Objects become '', because `flattenRecord` reads nested places and addresses. */
const toText = (value: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : ''

const isRecord = (value: unknown): value is IssueRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Moves nested fields to the top level: `location: { latitude }` becomes `location latitude`. */
export function flattenRecord(record: IssueRecord): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(record)) {
    if (isRecord(value)) {
      const point = value['coordinates']
      if (value['type'] === 'Point' && Array.isArray(point))
        flat['point'] = `POINT (${toText(point[0])} ${toText(point[1])})`
      else
        for (const [innerName, innerValue] of Object.entries(value))
          flat[`${name} ${innerName}`] = toText(innerValue)
    } else flat[name] = toText(value)
  }
  return flat
}

/** Number of records that are examined for column names. */
const sampleSize = 500

/** Reads the distinct field names of a list of records, in order of first occurrence. */
export function readHeader(records: readonly IssueRecord[]): string[] {
  const names = new Map<string, string>()
  for (const record of records.slice(0, sampleSize))
    for (const name of Object.keys(flattenRecord(record)))
      if (!names.has(toPlainName(name))) names.set(toPlainName(name), name)
  return [...names.values()]
}

/** Finds the indices of the columns with times. */
export const timeColumns = ({ requested, closed, updated, statusTime }: IssueColumns): number[] => [
  ...new Set([...requested, ...closed, ...updated, ...statusTime]),
]

/** Returns the columns of records and a function that makes rows; null if they are no 311 requests. */
function createRowReader(records: readonly IssueRecord[]) {
  const header = readHeader(records)
  const columns = recognizeIssueColumns(header)
  const plainNames = header.map(toPlainName)
  const toRow = (record: IssueRecord): string[] => {
    const fields = new Map(
      Object.entries(flattenRecord(record)).map(([name, text]) => [toPlainName(name), text]),
    )
    return plainNames.map((name) => fields.get(name) ?? '')
  }
  return columns && { header, columns, toRow }
}

/** Collects the evidence for the order of day and month in a list of records, by column name. */
export function collectDateEvidence(records: readonly unknown[]): Record<string, DateEvidence> {
  const list = createRowReader(records.filter(isRecord))
  const dates: Record<string, DateEvidence> = {}
  if (!list) return dates
  const indices = timeColumns(list.columns)
  for (const record of records.filter(isRecord)) {
    const row = list.toRow(record)
    for (const index of indices)
      addEvidence((dates[list.header[index] ?? ''] ??= {}), (row[index] ?? '').trim())
  }
  return dates
}

export interface IssueRecordReader {
  read(record: unknown): IssueReport | NoIssue
  /** The fields of a rejected record that may be stored: only those that are read. */
  getRetained(record: unknown): Record<string, string>
}

/**
 * Creates a reader of records of a list; null if they are not 311 requests. `chosenOrder` is the order of day
 * and month that applies where the list itself does not decide. Without either, only dates with the year
 * first are read.
 */
export function createIssueRecordReader(
  records: readonly unknown[],
  clock: CivilClock,
  chosenOrder: DateOrder | null,
): IssueRecordReader | null {
  const list = createRowReader(records.filter(isRecord))
  if (!list) return null
  const { header, columns, toRow } = list
  const findOrder = createOrderLookup(collectDateEvidence(records), chosenOrder)
  const readRow = createIssueRowReader({ columns, clock, orderAt: (index) => findOrder(header[index] ?? '') })
  const selectRetained = createFieldSelector(
    header,
    listUsedColumns(columns).flatMap((index) => header[index] ?? []),
  )
  return {
    read: (record) => (isRecord(record) ? readRow(toRow(record)) : { reason: 'not_a_record', detail: '' }),
    getRetained: (record) => (isRecord(record) ? selectRetained(toRow(record)) : {}),
  }
}
