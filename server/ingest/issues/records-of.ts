import { plainName } from '../layouts/layout.ts'
import type { IssueReport } from '#server/issues/issue-report.ts'
import { dateOrderOf } from '../read-moment.ts'
import type { CivilClock } from '#contract/civil-clock.ts'
import { type IssueColumns, issueColumns } from './issue-columns.ts'
import { issueRowReader, type NoIssue } from './read-issue-row.ts'

/** A record of a list: names and values as they came. */
export type IssueRecord = Readonly<Record<string, unknown>>

/** What a field holds as text; a place or an address in a field of its own is taken apart by `flat`. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '')

const isRecord = (value: unknown): value is IssueRecord => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A record with the fields of its fields beside its own: `location: { latitude }` as `location latitude`. */
export function flat(record: IssueRecord): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(record)) {
    if (isRecord(value)) {
      const point = value['coordinates']
      if (value['type'] === 'Point' && Array.isArray(point)) found['point'] = `POINT (${textOf(point[0])} ${textOf(point[1])})`
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
  for (const record of records.slice(0, sampleSize)) for (const name of Object.keys(flat(record))) if (!names.has(plainName(name))) names.set(plainName(name), name)
  return [...names.values()]
}

/** The order of dates in a list, by what stands in the columns of times. */
export const orderIn = (columns: IssueColumns, rows: readonly (readonly string[])[]) =>
  dateOrderOf(rows.slice(0, sampleSize).flatMap((row) => [...columns.requested, ...columns.closed, ...columns.updated].map((place) => (row[place] ?? '').trim())))

/** Makes the reader of records of one list; null where they are no 311 requests. */
export function issueRecordReader(records: readonly IssueRecord[], clock: CivilClock): ((record: unknown) => IssueReport | NoIssue) | null {
  const header = headerOf(records.filter(isRecord))
  const columns = issueColumns(header)
  if (!columns) return null
  const plain = header.map(plainName)
  const rowOf = (record: IssueRecord): string[] => {
    const fields = new Map(Object.entries(flat(record)).map(([name, text]) => [plainName(name), text]))
    return plain.map((name) => fields.get(name) ?? '')
  }
  const read = issueRowReader({ columns, clock, order: orderIn(columns, records.slice(0, sampleSize).filter(isRecord).map(rowOf)) })
  return (record) => (isRecord(record) ? read(rowOf(record)) : { reason: 'not_a_record', detail: '' })
}
