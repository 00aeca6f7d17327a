import type { Finding } from '#server/fleet/events/finding.ts'
import { removeSnapshots, storeSnapshotRows } from '#server/live/snapshots/store-snapshot.ts'
import { parseJsonObject, isObject } from '#server/feeds/adapters/response-body.ts'
import { csvRecords } from '#server/table-files/csv-records.ts'
import { composeSnapshot } from '#server/feeds/gbfs/compose-snapshot.ts'
import { parseTime } from '#server/feeds/gbfs/gbfs-value.ts'
import { readGbfs } from '#server/feeds/gbfs/read-gbfs.ts'
import { headerNames } from '../file-header.ts'
import { fileLines } from '../open-trip-file.ts'
import { retainedFields } from '#server/table-files/column-names.ts'
import { type PlacedVehicle, snapshotRowReader, type NoVehicle } from '../snapshots/read-snapshot-row.ts'
import { snapshotColumns, type SnapshotColumns } from '../snapshots/snapshot-columns.ts'
import type { FileAside, FileBatch, FileGiven, FileKind, FileTask, Recognized } from './file-kind.ts'
import { isJsonFile } from './is-json-file.ts'
import { readWhole } from './read-whole.ts'
import { timeInName } from './time-in-name.ts'

const rowsPerBatch = 20_000
/** The columns of a header that are read. */
const namesOf = (header: readonly string[], columns: SnapshotColumns): string[] =>
  header.filter((_, at) => Object.values(columns).includes(at))

const feedOf = (importId: string): string => `file:${importId}`

/** What must be answered about a file: the time and the operator of its vehicles, if it does not contain them. */
function recognized(
  layout: string,
  contained: { time: number | null; hasOperator: boolean },
  given: FileGiven,
): Recognized {
  const time = given.snapshotTime ?? contained.time
  const asks = [
    ...(time === null ? ['snapshot_time' as const] : []),
    ...(contained.hasOperator || given.operator ? [] : ['operator' as const]),
  ]
  return {
    kind: 'snapshot',
    layout,
    asks,
    given: {
      ...(time === null || Number.isNaN(time) ? {} : { snapshotTime: time }),
      ...(given.operator ? { operator: given.operator } : {}),
    },
  }
}

async function storeVehicles(
  { facts, scope, regionId, importId, sent }: FileTask,
  vehicles: readonly PlacedVehicle[],
): Promise<number> {
  const groups = new Map<string, PlacedVehicle[]>()
  for (const vehicle of vehicles) {
    const key = `${vehicle.operator} ${vehicle.at}`
    const group = groups.get(key)
    if (group) group.push(vehicle)
    else groups.set(key, [vehicle])
  }
  for (const group of groups.values()) {
    const [first] = group
    if (first)
      await storeSnapshotRows(
        facts,
        scope,
        { regionId, operator: first.operator, feedId: feedOf(importId), at: first.at },
        group.map(({ row }) => row),
        sent,
      )
  }
  return vehicles.length
}

async function* readTable(task: FileTask): AsyncGenerator<FileBatch> {
  let bytes = 0
  let header: string[] | null = null
  let read: ((fields: readonly string[]) => PlacedVehicle | NoVehicle) | null = null
  let retained: ReturnType<typeof retainedFields> = () => ({})
  let batch = { rows: 0, vehicles: [] as PlacedVehicle[], aside: [] as FileAside[] }
  const seen = new Set<string>()
  const flush = (): FileBatch => {
    const { rows, vehicles, aside } = batch
    batch = { rows: 0, vehicles: [], aside: [] }
    return { rows, bytes, aside, store: () => storeVehicles(task, vehicles) }
  }
  for await (const records of csvRecords(fileLines(task.filePath, (part) => (bytes += part))))
    for (const { line, fields } of records) {
      if (!header || !read) {
        header = headerNames(fields ?? [])
        const columns = snapshotColumns(header)
        if (!columns) return
        retained = retainedFields(header, namesOf(header, columns))
        const names = header
        read = snapshotRowReader({
          columns,
          orderAt: (place) => task.orderOf(names[place] ?? ''),
          clock: task.clock,
          at: task.given.snapshotTime ?? Number.NaN,
          operator: task.given.operator ?? 'unknown',
        })
        continue
      }
      batch.rows++
      const isWhole =
        fields !== null && (fields.length === header.length || fields.every((field) => field.trim() === ''))
      let found: PlacedVehicle | NoVehicle = isWhole
        ? read(fields)
        : fields
          ? {
              reason: 'column_count',
              detail: `${fields.length} fields where the header has ${header.length}`,
            }
          : { reason: 'unclosed_quote', detail: '' }
      if ('row' in found) {
        const key = `${found.operator} ${found.at} ${found.row.vehicleId}`
        if (seen.has(key)) found = { reason: 'duplicate_vehicle', detail: found.row.vehicleId }
        seen.add(key)
      }
      if ('reason' in found) batch.aside.push({ line, ...found, raw: retained(fields) })
      else batch.vehicles.push(found)
      if (batch.rows >= rowsPerBatch) yield flush()
    }
  if (batch.rows) yield flush()
}

async function* readFeedFile(task: FileTask): AsyncGenerator<FileBatch> {
  const { data } = parseJsonObject(await readWhole(task.filePath))
  if (!isObject(data)) return
  const at = task.given.snapshotTime ?? task.sent
  const findings: Finding[] = []
  const content = readGbfs('vehicle_status', data, { at, language: 'en', findings })
  if (content.kind !== 'vehicles') return
  const operator = task.given.operator ?? 'unknown'
  const snapshot = composeSnapshot(
    { regionId: task.regionId, operator, feedId: '', settings: {} },
    { vehicles: content },
  )
  const placed = snapshot?.vehicles ?? []
  const there = new Set(placed.map(({ vehicleId }) => vehicleId))
  const aside = [
    ...findings.map(({ field, reason, raw }): FileAside => ({
      line: Number(/\[(\d+)\]/.exec(field)?.[1] ?? 0) + 1,
      reason: 'not_a_record',
      detail: reason,
      raw: { vehicle: raw },
    })),
    ...content.vehicles.flatMap((vehicle, index): FileAside[] =>
      there.has(vehicle.vehicleId)
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
    rows: placed.length + aside.length,
    bytes: task.bytes,
    aside,
    store: () =>
      storeVehicles(
        task,
        placed.map((vehicle) => ({
          operator,
          at,
          row: { ...vehicle, isAvailable: !vehicle.isReserved && !vehicle.isDisabled },
        })),
      ),
  }
}

/** Lists of vehicles at one moment: CSV, or the vehicles of a GBFS feed. The operator is never guessed. */
export const snapshotFiles: FileKind = {
  kind: 'snapshot',
  recognize({ json, header, fileName }, given, clock) {
    if (json !== undefined) {
      const data = isObject(json) ? json['data'] : undefined
      if (
        !isObject(json) ||
        !isObject(data) ||
        !(Array.isArray(data['bikes']) || Array.isArray(data['vehicles']))
      )
        return null
      const updated = parseTime(json['last_updated'])
      return recognized(
        'GBFS',
        { time: Number.isNaN(updated) ? timeInName(fileName, clock) : updated, hasOperator: false },
        given,
      )
    }
    const columns = snapshotColumns(header)
    // NaN: each row has its own time.
    if (!columns) return null
    const known = recognized(
      'CSV',
      {
        time: columns.time >= 0 ? Number.NaN : timeInName(fileName, clock),
        hasOperator: columns.operator >= 0,
      },
      given,
    )
    const times = [columns.reported, columns.time].flatMap((place) => header[place] ?? [])
    return {
      ...known,
      table: {
        columns: namesOf(header, columns),
        times,
        place: { lon: header[columns.lon] ?? '', lat: header[columns.lat] ?? '' },
      },
    }
  },
  async *read(task) {
    yield* (await isJsonFile(task.filePath)) ? readFeedFile(task) : readTable(task)
  },
  remove: ({ facts, scope, regionId, importId }) => removeSnapshots(facts, scope, regionId, feedOf(importId)),
}
