import type { IssueReport } from '#server/issues/issue-report.ts'
import { fileSource, storeIssues } from '#server/issues/store-issues.ts'
import { removeImportedIssues } from '#server/issues/remove-imported-issues.ts'
import { isObject } from '#server/feeds/adapters/response-body.ts'
import { csvRecords, type CsvRecord } from '#server/table-files/csv-records.ts'
import { issueColumns, usedColumns } from '#server/issues/records/issue-columns.ts'
import { issueRowReader, type NoIssue } from '#server/issues/records/read-issue-row.ts'
import { headerOf, issueDates, issueRecordReader, timeColumns } from '#server/issues/records/issue-records.ts'
import { headerNames } from '../file-header.ts'
import { fileLines } from '../open-trip-file.ts'
import { retainedFields } from '#server/table-files/column-names.ts'
import { withoutContacts } from '#server/table-files/plain-text.ts'
import type { FileAside, FileBatch, FileKind, FileTask } from './file-kind.ts'
import { isJsonFile } from './is-json-file.ts'
import { readJsonFile } from './read-whole.ts'
import { timeInName } from './time-in-name.ts'
import { parseTime } from '#server/feeds/gbfs/gbfs-value.ts'

/** The records of a JSON file of 311 requests. */
interface IssueList {
  layout: 'JSON' | 'GeoJSON' | 'ArcGIS'
  records: unknown[]
  /** When the list was fetched, ms; null if unknown. */
  fetched: number | null
}

const names = ['records', 'service_requests', 'requests', 'features', 'results', 'items', 'data', 'rows']

/** A feature's properties with its place. */
function ofFeature(feature: unknown): unknown {
  if (!isObject(feature)) return feature
  const { geometry } = feature
  const properties = isObject(feature['properties'])
    ? feature['properties']
    : isObject(feature['attributes'])
      ? feature['attributes']
      : {}
  const point =
    isObject(geometry) && geometry['type'] === 'Point' && Array.isArray(geometry['coordinates'])
      ? geometry['coordinates']
      : isObject(geometry) && 'x' in geometry
        ? [geometry['x'], geometry['y']]
        : null
  // Other values are no coordinates, and objects of hostile files cannot be written as text.
  const [lon, lat] = (point ?? []).map((each) => (['number', 'string'].includes(typeof each) ? each : ''))
  return point && !('point' in properties)
    ? { ...properties, point: `POINT (${lon as string} ${lat as string})` }
    : properties
}

/** The list in a JSON value: the value itself, or the list of an object under one of the usual names. Null if there is none. */
export function issueList(json: unknown): IssueList | null {
  const whole = isObject(json) ? json : {}
  const list = Array.isArray(json) ? json : names.map((name) => whole[name]).find(Array.isArray)
  if (!list) return null
  const reported = parseTime(whole['fetched_at'])
  const fetched = Number.isNaN(reported) ? null : reported
  if (whole['type'] === 'FeatureCollection')
    return { layout: 'GeoJSON', records: list.map(ofFeature), fetched }
  if (list.some((each) => isObject(each) && isObject(each['attributes'])))
    return { layout: 'ArcGIS', records: list.map(ofFeature), fetched }
  return { layout: 'JSON', records: list, fetched }
}

const rowsPerBatch = 2000

/** A batch of parsed records. `raw` returns the columns of a row that are read; mail addresses and telephone numbers are removed from texts. */
function batchOf(
  task: FileTask,
  observed: number,
  bytes: number,
  read: readonly {
    line: number
    found: IssueReport | NoIssue
    raw: () => Readonly<Record<string, string>>
  }[],
): FileBatch {
  const issues: IssueReport[] = []
  const aside: FileAside[] = []
  for (const { line, found, raw } of read) {
    if ('reason' in found)
      aside.push({
        line,
        ...found,
        raw: Object.fromEntries(Object.entries(raw()).map(([name, text]) => [name, withoutContacts(text)])),
      })
    else issues.push(found)
  }
  const { state, scope, regionId, importId } = task
  return {
    rows: read.length,
    bytes,
    aside,
    store: () => storeIssues(state, scope, { regionId, source: fileSource, observed, importId }, issues),
  }
}

async function* readTable(task: FileTask): AsyncGenerator<FileBatch> {
  const observed = timeInName(task.fileName, task.clock) ?? task.sent
  let bytes = 0
  let waiting: CsvRecord[] = []
  let header: string[] | null = null
  let readRow: ((fields: readonly string[]) => IssueReport | NoIssue) | null = null
  let retained: ReturnType<typeof retainedFields> = () => ({})
  const batch = (records: readonly CsvRecord[], names: readonly string[]): FileBatch => {
    const columns = issueColumns(names)
    if (columns && !readRow)
      readRow = issueRowReader({
        columns,
        clock: task.clock,
        orderAt: (place) => task.orderOf(names[place] ?? ''),
      })
    const read = records.map(({ line, fields }) => {
      const isWhole =
        fields !== null && (fields.length === names.length || fields.every((field) => field.trim() === ''))
      const found: IssueReport | NoIssue = isWhole
        ? (readRow?.(fields) ?? { reason: 'not_a_record', detail: '' })
        : fields
          ? { reason: 'column_count', detail: `${fields.length} fields where the header has ${names.length}` }
          : { reason: 'unclosed_quote', detail: '' }
      return { line, found, raw: () => retained(fields) }
    })
    return batchOf(task, observed, bytes, read)
  }
  for await (const records of csvRecords(fileLines(task.filePath, (part) => (bytes += part)))) {
    if (!header && records.length) {
      header = headerNames(records.shift()?.fields ?? [])
      const names = header
      const columns = issueColumns(names)
      retained = retainedFields(
        names,
        columns ? usedColumns(columns).flatMap((place) => names[place] ?? []) : [],
      )
    }
    waiting = waiting.concat(records)
    if (header) while (waiting.length >= rowsPerBatch) yield batch(waiting.splice(0, rowsPerBatch), header)
  }
  if (header && waiting.length) yield batch(waiting, header)
}

async function* readJson(task: FileTask): AsyncGenerator<FileBatch> {
  const list = issueList(await readJsonFile(task.filePath, 'the requests')) as IssueList
  const observed = list.fetched ?? timeInName(task.fileName, task.clock) ?? task.sent
  const reader = issueRecordReader(list.records, task.clock, task.given.dateOrder ?? null)
  for (let first = 0; first < list.records.length; first += rowsPerBatch) {
    const some = list.records.slice(first, first + rowsPerBatch)
    yield batchOf(
      task,
      observed,
      Math.round((task.bytes * (first + some.length)) / list.records.length),
      some.map((record, at) => ({
        line: first + at + 1,
        found: reader?.read(record) ?? { reason: 'not_a_record', detail: '' },
        raw: () => reader?.retained(record) ?? {},
      })),
    )
  }
}

/** Lists of 311 requests: CSV of any city by its column names, JSON lists (GeoReport, Socrata, ArcGIS), GeoJSON of points. */
export const issueFiles: FileKind = {
  kind: 'issues',
  recognize({ json, header }) {
    if (json === undefined) {
      const columns = issueColumns(header)
      if (!columns) return null
      const nameOf = (places: readonly number[]): string[] => places.flatMap((place) => header[place] ?? [])
      const [[lat], [lon]] = [nameOf(columns.lat), nameOf(columns.lon)]
      const isDegrees = columns.lat.length > 0 && !columns.plane.includes(columns.lat[0] ?? -1)
      return {
        kind: 'issues',
        layout: 'CSV',
        asks: [],
        given: {},
        table: {
          columns: nameOf(usedColumns(columns)),
          times: nameOf(timeColumns(columns)),
          place: lat && lon && isDegrees ? { lon, lat } : null,
        },
      }
    }
    const list = issueList(json)
    if (!list || !issueColumns(headerOf(list.records.filter(isObject)))) return null
    return { kind: 'issues', layout: list.layout, asks: [], given: {}, dates: issueDates(list.records) }
  },
  async *read(task) {
    yield* (await isJsonFile(task.filePath)) ? readJson(task) : readTable(task)
  },
  remove: ({ state, scope, regionId, importId }) => removeImportedIssues(state, scope, regionId, importId),
}
