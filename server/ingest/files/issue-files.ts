import type { IssueReport } from '#server/issues/issue-report.ts'
import { fileSource, storeIssues } from '#server/issues/store-issues.ts'
import { takeBackIssues } from '#server/issues/take-back-issues.ts'
import { isObject } from '../adapters/answer-body.ts'
import { csvRecords, type CsvRecord } from '../csv-records.ts'
import { issueColumns } from '../issues/issue-columns.ts'
import { issueList, type IssueList } from '../issues/issue-list.ts'
import { issueRowReader, type NoIssue } from '../issues/read-issue-row.ts'
import { headerOf, issueRecordReader, orderIn } from '../issues/records-of.ts'
import { isPersonalField, withoutPerson } from '../issues/without-person.ts'
import { fileLines } from '../open-trip-file.ts'
import { withoutPersonal } from '../personal-columns.ts'
import type { FileAside, FileBatch, FileKind, FileTask } from './file-kind.ts'
import { isJsonFile } from './is-json-file.ts'
import { readWhole } from './read-whole.ts'
import { timeInName } from './time-in-name.ts'

const rowsAtOnce = 2000

/** A batch of what was read: `raw` makes the row as it came without what is personal. */
function batchOf(task: FileTask, observed: number, bytes: number, read: readonly { line: number; found: IssueReport | NoIssue; raw: () => readonly string[] }[]): FileBatch {
  const issues: IssueReport[] = []
  const aside: FileAside[] = []
  for (const { line, found, raw } of read) {
    if ('reason' in found) aside.push({ line, ...found, raw: raw() })
    else issues.push(found)
  }
  const { state, scope, regionId, importId } = task
  return { rows: read.length, bytes, aside, store: () => storeIssues(state, scope, { regionId, source: fileSource, observed, importId }, issues) }
}

async function* readTable(task: FileTask): AsyncGenerator<FileBatch> {
  const observed = timeInName(task.fileName, task.clock) ?? task.sent
  let bytes = 0
  let waiting: CsvRecord[] = []
  let header: string[] | null = null
  let readRow: ((fields: readonly string[]) => IssueReport | NoIssue) | null = null
  let personal: number[] = []
  const batch = (records: readonly CsvRecord[], names: readonly string[]): FileBatch => {
    const columns = issueColumns(names)
    // The order of dates is told by the first rows, and holds for all.
    if (columns && !readRow) readRow = issueRowReader({ columns, clock: task.clock, order: orderIn(columns, records.flatMap(({ fields }) => (fields ? [fields] : []))) })
    const read = records.map(({ line, fields }) => {
      const isWhole = fields !== null && (fields.length === names.length || fields.every((field) => field.trim() === ''))
      const found: IssueReport | NoIssue = isWhole ? (readRow?.(fields) ?? { reason: 'not_a_record', detail: '' }) : fields ? { reason: 'column_count', detail: `${fields.length} fields where the header has ${names.length}` } : { reason: 'unclosed_quote', detail: '' }
      return { line, found, raw: () => withoutPersonal(fields, personal, names.length) }
    })
    return batchOf(task, observed, bytes, read)
  }
  for await (const records of csvRecords(fileLines(task.filePath, (part) => (bytes += part)))) {
    if (!header && records.length) {
      header = (records.shift()?.fields ?? []).map((name) => name.trim().replace(/^\uFEFF/, ''))
      personal = header.flatMap((name, at) => (isPersonalField(name) ? [at] : []))
    }
    waiting = waiting.concat(records)
    if (header) while (waiting.length >= rowsAtOnce) yield batch(waiting.splice(0, rowsAtOnce), header)
  }
  if (header && waiting.length) yield batch(waiting, header)
}

async function* readJson(task: FileTask): AsyncGenerator<FileBatch> {
  const list = issueList(JSON.parse(await readWhole(task.filePath))) as IssueList
  const observed = list.fetched ?? timeInName(task.fileName, task.clock) ?? task.sent
  const read = issueRecordReader(list.records.filter(isObject), task.clock)
  for (let first = 0; first < list.records.length; first += rowsAtOnce) {
    const some = list.records.slice(first, first + rowsAtOnce)
    yield batchOf(task, observed, Math.round((task.bytes * (first + some.length)) / list.records.length), some.map((record, at) => ({ line: first + at + 1, found: read?.(record) ?? { reason: 'not_a_record', detail: '' }, raw: () => [withoutPerson(record)] })))
  }
}

/** Lists of 311 requests: CSV of any city by its column names, JSON lists (GeoReport, Socrata, ArcGIS), GeoJSON of points. */
export const issueFiles: FileKind = {
  kind: 'issues',
  recognise({ json, header }) {
    if (json === undefined) return issueColumns(header) ? { kind: 'issues', layout: 'CSV', asks: [], given: {} } : null
    const list = issueList(json)
    return list && issueColumns(headerOf(list.records.filter(isObject))) ? { kind: 'issues', layout: list.layout, asks: [], given: {} } : null
  },
  async *read(task) {
    yield* (await isJsonFile(task.filePath)) ? readJson(task) : readTable(task)
  },
  takeBack: ({ state, scope, regionId, importId }) => takeBackIssues(state, scope, regionId, importId),
}
