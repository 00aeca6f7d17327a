import type { IssueReport } from '#server/issues/issue-report.ts'
import { fileSource, storeIssues } from '#server/issues/store-issues.ts'
import { removeImportedIssues } from '#server/issues/remove-imported-issues.ts'
import { isObject } from '#server/feeds/adapters/response-body.ts'
import { readCsvRecords, type CsvRecord } from '#server/table-files/csv-records.ts'
import { recognizeIssueColumns, listUsedColumns } from '#server/issues/records/issue-columns.ts'
import { createIssueRowReader, type NoIssue } from '#server/issues/records/read-issue-row.ts'
import {
  readHeader,
  collectDateEvidence,
  createIssueRecordReader,
  timeColumns,
} from '#server/issues/records/issue-records.ts'
import { makeColumnNamesUnique } from '../file-header.ts'
import { readFileLines } from '../read-trip-file.ts'
import { createFieldSelector } from '#server/table-files/column-names.ts'
import { removeContacts } from '#server/table-files/plain-text.ts'
import { parseTime } from '#server/feeds/gbfs/gbfs-value.ts'
import type { RejectedFileRow, FileBatch, FileKind, FileTask } from './file-kind.ts'
import { isJsonFile, readJsonFile } from './read-file-text.ts'
import { readTimeInName } from './time-in-name.ts'

/** The records of a JSON file of 311 requests. */
interface IssueList {
  layout: 'JSON' | 'GeoJSON' | 'ArcGIS'
  records: unknown[]
  /** The time at which the list was fetched; null if unknown. */
  fetchedMs: number | null
}

/** Fields that may contain the list. */
const listFields = ['records', 'service_requests', 'requests', 'features', 'results', 'items', 'data', 'rows']

function findPoint(geometry: Record<string, unknown>): unknown[] | null {
  if (geometry['type'] === 'Point' && Array.isArray(geometry['coordinates'])) return geometry['coordinates']
  return 'x' in geometry ? [geometry['x'], geometry['y']] : null
}

/** Returns the properties of a GeoJSON or ArcGIS feature with its location. */
function flattenFeature(feature: unknown): unknown {
  if (!isObject(feature)) return feature
  const { geometry } = feature
  const properties = [feature['properties'], feature['attributes']].find(isObject) ?? {}
  const point = isObject(geometry) ? findPoint(geometry) : null
  // Other values are not coordinates, and objects might throw when they are converted to text.
  const [lon, lat] = (point ?? []).map((degrees) =>
    ['number', 'string'].includes(typeof degrees) ? degrees : '',
  )
  return point && !('point' in properties)
    ? { ...properties, point: `POINT (${lon as string} ${lat as string})` }
    : properties
}

/** Finds the list in a JSON value: the value itself or one of its usual fields; null if there is none. */
export function findIssueList(json: unknown): IssueList | null {
  const container = isObject(json) ? json : {}
  const records = Array.isArray(json) ? json : listFields.map((name) => container[name]).find(Array.isArray)
  if (!records) return null
  const fetchedTime = parseTime(container['fetched_at'])
  const fetchedMs = Number.isNaN(fetchedTime) ? null : fetchedTime
  if (container['type'] === 'FeatureCollection')
    return { layout: 'GeoJSON', records: records.map(flattenFeature), fetchedMs }
  if (records.some((item) => isObject(item) && isObject(item['attributes'])))
    return { layout: 'ArcGIS', records: records.map(flattenFeature), fetchedMs }
  return { layout: 'JSON', records, fetchedMs }
}

const rowsPerBatch = 2000

/** A parsed record. `raw` returns those of its fields that are read. */
interface ParsedRecord {
  line: number
  result: IssueReport | NoIssue
  raw: () => Readonly<Record<string, string>>
}

/** Creates a batch; `observed`: time of the status, ms. Texts of rejected rows lose contact data. */
function createBatch(
  task: FileTask,
  { observed, bytes }: { observed: number; bytes: number },
  records: readonly ParsedRecord[],
): FileBatch {
  const issues: IssueReport[] = []
  const rejected: RejectedFileRow[] = []
  for (const { line, result, raw } of records) {
    if ('reason' in result)
      rejected.push({
        line,
        ...result,
        raw: Object.fromEntries(Object.entries(raw()).map(([name, text]) => [name, removeContacts(text)])),
      })
    else issues.push(result)
  }
  const { state, scope, regionId, importId } = task
  return {
    rows: records.length,
    bytes,
    rejected,
    store: () => storeIssues(state, scope, { regionId, source: fileSource, observed, importId }, issues),
  }
}

async function* readTable(task: FileTask): AsyncGenerator<FileBatch> {
  const observed = readTimeInName(task.fileName, task.clock) ?? task.sentMs
  let bytes = 0
  let pendingRecords: CsvRecord[] = []
  let header: string[] | null = null
  let readRow: ((fields: readonly string[]) => IssueReport | NoIssue) | null = null
  let selectFields: ReturnType<typeof createFieldSelector> = () => ({})
  const createTableBatch = (records: readonly CsvRecord[], names: readonly string[]): FileBatch => {
    const columns = recognizeIssueColumns(names)
    if (columns && !readRow)
      readRow = createIssueRowReader({
        columns,
        clock: task.clock,
        orderAt: (column) => task.getDateOrder(names[column] ?? ''),
      })
    const parsed = records.map(({ line, fields }) => {
      const isComplete =
        fields !== null && (fields.length === names.length || fields.every((field) => field.trim() === ''))
      let result: IssueReport | NoIssue = { reason: 'unclosed_quote', detail: '' }
      if (isComplete) result = readRow?.(fields) ?? { reason: 'not_a_record', detail: '' }
      else if (fields)
        result = {
          reason: 'column_count',
          detail: `${fields.length} fields where the header has ${names.length}`,
        }
      return { line, result, raw: () => selectFields(fields) }
    })
    return createBatch(task, { observed, bytes }, parsed)
  }
  for await (const records of readCsvRecords(
    readFileLines(task.filePath, (byteCount) => (bytes += byteCount)),
  )) {
    if (!header && records.length) {
      header = makeColumnNamesUnique(records.shift()?.fields ?? [])
      const names = header
      const columns = recognizeIssueColumns(names)
      selectFields = createFieldSelector(
        names,
        columns ? listUsedColumns(columns).flatMap((column) => names[column] ?? []) : [],
      )
    }
    pendingRecords = pendingRecords.concat(records)
    if (header)
      while (pendingRecords.length >= rowsPerBatch)
        yield createTableBatch(pendingRecords.splice(0, rowsPerBatch), header)
  }
  if (header && pendingRecords.length) yield createTableBatch(pendingRecords, header)
}

async function* readJson(task: FileTask): AsyncGenerator<FileBatch> {
  const issueList = findIssueList(await readJsonFile(task.filePath, 'the requests')) as IssueList
  const observed = issueList.fetchedMs ?? readTimeInName(task.fileName, task.clock) ?? task.sentMs
  const reader = createIssueRecordReader(issueList.records, task.clock, task.answers.dateOrder ?? null)
  for (let start = 0; start < issueList.records.length; start += rowsPerBatch) {
    const records = issueList.records.slice(start, start + rowsPerBatch)
    // The file was read completely, so the share of records is the progress.
    const bytes = Math.round((task.sizeBytes * (start + records.length)) / issueList.records.length)
    yield createBatch(
      task,
      { observed, bytes },
      records.map((record, index) => ({
        line: start + index + 1,
        result: reader?.read(record) ?? { reason: 'not_a_record', detail: '' },
        raw: () => reader?.getRetained(record) ?? {},
      })),
    )
  }
}

/** Lists of 311 requests: CSV with any city's column names, JSON (GeoReport, Socrata, ArcGIS), GeoJSON points. */
export const issueFiles: FileKind = {
  kind: 'issues',
  recognize({ json, header }) {
    if (json === undefined) {
      const columns = recognizeIssueColumns(header)
      if (!columns) return null
      const getNames = (indices: readonly number[]): string[] =>
        indices.flatMap((index) => header[index] ?? [])
      const [lat] = getNames(columns.lat)
      const [lon] = getNames(columns.lon)
      // Columns of plane coordinates are not degrees.
      const isDegrees = columns.lat.length > 0 && !columns.plane.includes(columns.lat[0] ?? -1)
      return {
        kind: 'issues',
        layout: 'CSV',
        missingAnswers: [],
        answers: {},
        table: {
          columns: getNames(listUsedColumns(columns)),
          timeColumns: getNames(timeColumns(columns)),
          placeColumns: lat && lon && isDegrees ? { lon, lat } : null,
        },
      }
    }
    const issueList = findIssueList(json)
    if (!issueList || !recognizeIssueColumns(readHeader(issueList.records.filter(isObject)))) return null
    return {
      kind: 'issues',
      layout: issueList.layout,
      missingAnswers: [],
      answers: {},
      dates: collectDateEvidence(issueList.records),
    }
  },
  async *read(task) {
    yield* (await isJsonFile(task.filePath)) ? readJson(task) : readTable(task)
  },
  remove: ({ state, scope, regionId, importId }) => removeImportedIssues(state, scope, regionId, importId),
}
