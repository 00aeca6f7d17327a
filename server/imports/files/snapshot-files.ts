import { groupBy } from '#contract/group-by.ts'
import type { Finding } from '#server/fleet/events/feed-records.ts'
import { removeSnapshots, storeSnapshotRows } from '#server/live/snapshots/store-snapshot.ts'
import { parseJsonObject, isObject } from '#server/feeds/adapters/response-body.ts'
import { readCsvRecords } from '#server/table-files/csv-records.ts'
import { composeSnapshot } from '#server/feeds/gbfs/compose-snapshot.ts'
import { parseTime } from '#server/feeds/gbfs/gbfs-value.ts'
import { readGbfs } from '#server/feeds/gbfs/read-gbfs.ts'
import { makeColumnNamesUnique } from '../file-header.ts'
import { readFileLines } from '../read-trip-file.ts'
import { createFieldSelector } from '#server/table-files/column-names.ts'
import {
  type FileVehicle,
  createSnapshotReader,
  type RejectedVehicle,
} from '../snapshots/read-snapshot-row.ts'
import { findSnapshotColumns, type SnapshotColumns } from '../snapshots/snapshot-columns.ts'
import type {
  RejectedFileRow,
  FileBatch,
  FileAnswers,
  FileKind,
  FileTask,
  RecognizedFile,
} from './file-kind.ts'
import { isJsonFile, readFileText } from './read-file-text.ts'
import { readTimeInName } from './time-in-name.ts'

const rowsPerBatch = 20_000
const getUsedNames = (header: readonly string[], columns: SnapshotColumns): string[] =>
  header.filter((_, index) => Object.values(columns).includes(index))

/** Returns the feed id under which the vehicles of an import are stored. */
const toFeedId = (importId: string): string => `file:${importId}`

/**
 * Describes a recognized file. The user must answer the time and the operator of its vehicles if it does not
 * contain them. `contained.time`: ms; null if there is none, NaN if each row has its own time.
 */
function describeFile(
  layout: string,
  contained: { time: number | null; hasOperator: boolean },
  answers: FileAnswers,
): RecognizedFile {
  const time = answers.snapshotTime ?? contained.time
  const missingAnswers = [
    ...(time === null ? ['snapshot_time' as const] : []),
    ...(contained.hasOperator || answers.operator ? [] : ['operator' as const]),
  ]
  return {
    kind: 'snapshot',
    layout,
    missingAnswers,
    answers: {
      ...(time === null || Number.isNaN(time) ? {} : { snapshotTime: time }),
      ...(answers.operator ? { operator: answers.operator } : {}),
    },
  }
}

async function storeVehicles(
  { facts, scope, regionId, importId, sentMs }: FileTask,
  vehicles: readonly FileVehicle[],
): Promise<number> {
  const groups = groupBy(vehicles, ({ operator, at }) => `${operator} ${at}`)
  for (const group of groups.values()) {
    const [firstVehicle] = group
    if (firstVehicle)
      await storeSnapshotRows(
        facts,
        scope,
        { regionId, operator: firstVehicle.operator, feedId: toFeedId(importId), at: firstVehicle.at },
        { rows: group.map(({ row }) => row), version: sentMs },
      )
  }
  return vehicles.length
}

/** Reads a CSV file of vehicles in batches. */
async function* readTable(task: FileTask): AsyncGenerator<FileBatch> {
  let bytes = 0
  let header: string[] | null = null
  let readRow: ((fields: readonly string[]) => FileVehicle | RejectedVehicle) | null = null
  let selectFields: ReturnType<typeof createFieldSelector> = () => ({})
  let batch = { rows: 0, vehicles: [] as FileVehicle[], rejected: [] as RejectedFileRow[] }
  const storedKeys = new Set<string>()
  const flush = (): FileBatch => {
    const { rows, vehicles, rejected } = batch
    batch = { rows: 0, vehicles: [], rejected: [] }
    return { rows, bytes, rejected, store: () => storeVehicles(task, vehicles) }
  }
  for await (const records of readCsvRecords(
    readFileLines(task.filePath, (byteCount) => (bytes += byteCount)),
  ))
    for (const { line, fields } of records) {
      if (!header || !readRow) {
        header = makeColumnNamesUnique(fields ?? [])
        const columns = findSnapshotColumns(header)
        if (!columns) return
        selectFields = createFieldSelector(header, getUsedNames(header, columns))
        const names = header
        readRow = createSnapshotReader({
          columns,
          orderAt: (column) => task.getDateOrder(names[column] ?? ''),
          clock: task.clock,
          at: task.answers.snapshotTime ?? Number.NaN,
          operator: task.answers.operator ?? 'unknown',
        })
        continue
      }
      batch.rows++
      const isComplete =
        fields !== null && (fields.length === header.length || fields.every((field) => field.trim() === ''))
      let result: FileVehicle | RejectedVehicle = { reason: 'unclosed_quote', detail: '' }
      if (isComplete) result = readRow(fields)
      else if (fields)
        result = {
          reason: 'column_count',
          detail: `${fields.length} fields where the header has ${header.length}`,
        }
      if ('row' in result) {
        const key = `${result.operator} ${result.at} ${result.row.vehicleId}`
        if (storedKeys.has(key)) result = { reason: 'duplicate_vehicle', detail: result.row.vehicleId }
        storedKeys.add(key)
      }
      if ('reason' in result) batch.rejected.push({ line, ...result, raw: selectFields(fields) })
      else batch.vehicles.push(result)
      if (batch.rows >= rowsPerBatch) yield flush()
    }
  if (batch.rows) yield flush()
}

/** Reads a GBFS vehicle status file. */
async function* readFeedFile(task: FileTask): AsyncGenerator<FileBatch> {
  const { data } = parseJsonObject(await readFileText(task.filePath))
  if (!isObject(data)) return
  const at = task.answers.snapshotTime ?? task.sentMs
  const findings: Finding[] = []
  const content = readGbfs('vehicle_status', data, { at, language: 'en', findings })
  if (content.kind !== 'vehicles') return
  const operator = task.answers.operator ?? 'unknown'
  const snapshot = composeSnapshot(
    { regionId: task.regionId, operator, feedId: '', settings: {} },
    { vehicles: content },
  )
  const vehicles = snapshot?.vehicles ?? []
  const idsWithPlace = new Set(vehicles.map(({ vehicleId }) => vehicleId))
  const rejected = [
    ...findings.map(({ field, reason, raw }): RejectedFileRow => ({
      // Findings name fields such as `vehicles[12].lat`; lines are numbered from 1.
      line: Number(/\[(\d+)\]/.exec(field)?.[1] ?? 0) + 1,
      reason: 'not_a_record',
      detail: reason,
      raw: { vehicle: raw },
    })),
    ...content.vehicles.flatMap((vehicle, index): RejectedFileRow[] =>
      idsWithPlace.has(vehicle.vehicleId)
        ? []
        : [
            {
              line: index + 1,
              reason: 'no_place',
              detail: vehicle.vehicleId,
              raw: { vehicle: vehicle.vehicleId },
            },
          ],
    ),
  ]
  yield {
    rows: vehicles.length + rejected.length,
    bytes: task.sizeBytes,
    rejected,
    store: () =>
      storeVehicles(
        task,
        vehicles.map((vehicle) => ({
          operator,
          at,
          row: { ...vehicle, isAvailable: !vehicle.isReserved && !vehicle.isDisabled },
        })),
      ),
  }
}

/** Lists of vehicles at one moment: CSV, or a vehicle file of GBFS. The operator is never guessed. */
export const snapshotFiles: FileKind = {
  kind: 'snapshot',
  recognize({ json, header, fileName }, answers, clock) {
    if (json !== undefined) {
      const data = isObject(json) ? json['data'] : undefined
      if (
        !isObject(json) ||
        !isObject(data) ||
        !(Array.isArray(data['bikes']) || Array.isArray(data['vehicles']))
      )
        return null
      const updatedTime = parseTime(json['last_updated'])
      return describeFile(
        'GBFS',
        {
          time: Number.isNaN(updatedTime) ? readTimeInName(fileName, clock) : updatedTime,
          hasOperator: false,
        },
        answers,
      )
    }
    const columns = findSnapshotColumns(header)
    if (!columns) return null
    const file = describeFile(
      'CSV',
      {
        time: columns.time >= 0 ? Number.NaN : readTimeInName(fileName, clock),
        hasOperator: columns.operator >= 0,
      },
      answers,
    )
    const timeColumns = [columns.reported, columns.time].flatMap((column) => header[column] ?? [])
    return {
      ...file,
      table: {
        columns: getUsedNames(header, columns),
        timeColumns,
        placeColumns: { lon: header[columns.lon] ?? '', lat: header[columns.lat] ?? '' },
      },
    }
  },
  async *read(task) {
    yield* (await isJsonFile(task.filePath)) ? readFeedFile(task) : readTable(task)
  },
  remove: ({ facts, scope, regionId, importId }) =>
    removeSnapshots(facts, scope, regionId, toFeedId(importId)),
}
