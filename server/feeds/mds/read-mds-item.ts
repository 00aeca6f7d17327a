import { type FeedRecords, noRecords } from '#server/fleet/events/feed-records.ts'
import { createFinding } from './create-finding.ts'
import { readPushedEvent, readPushedPoint } from './earlier/read-pushed-event.ts'
import { readRegistration } from './earlier/read-registration.ts'
import { readEarlierStatus } from './earlier/read-status.ts'
import { readStatusChange } from './earlier/read-status-change.ts'
import { readEarlierStop, readEarlierStopChange } from './earlier/read-stop.ts'
import { readEarlierTrip } from './earlier/read-trip.ts'
import { type FieldError, describeErrors } from './field-error.ts'
import { Fields, isItem, createReading } from './fields.ts'
import type { MdsContext, MdsVersion } from './mds-context.ts'
import { readEvent } from './read-event.ts'
import { readStop, readStopChange } from './read-stop.ts'
import { readTelemetry } from './read-telemetry.ts'
import { readTrip } from './read-trip.ts'
import { readStatus, readVehicle } from './read-vehicle.ts'

/** Reads the fields of a record and adds it to `records` if it is valid; errors are added to its reading. */
type ReadRecord = (fields: Fields, records: FeedRecords, path: string) => void

/**
 * The kinds of records by version, with the field of their id. In 1.2 `vehicle`, `pushed_event` and
 * `telemetry` are records of the Agency API, `status` and `event` of the Provider API.
 */
const readers = {
  '2.0': {
    vehicle: [readVehicle, 'device_id'],
    status: [readStatus, 'device_id'],
    event: [readEvent, 'event_id'],
    trip: [readTrip, 'trip_id'],
    telemetry: [readTelemetry, 'telemetry_id'],
    stop: [readStop, 'stop_id'],
    stop_change: [readStopChange, 'stop_id'],
  },
  '1.2': {
    vehicle: [readRegistration, 'device_id'],
    status: [readEarlierStatus, 'device_id'],
    event: [readStatusChange, 'device_id'],
    pushed_event: [readPushedEvent, 'device_id'],
    trip: [readEarlierTrip, 'trip_id'],
    telemetry: [readPushedPoint, 'device_id'],
    stop: [readEarlierStop, 'stop_id'],
    stop_change: [readEarlierStopChange, 'stop_id'],
  },
} as const satisfies Record<MdsVersion, Record<string, readonly [ReadRecord, string]>>

export type ItemKind = keyof (typeof readers)['2.0'] | keyof (typeof readers)['1.2']

const notAnObject: readonly FieldError[] = [{ field: '', reason: 'must be an object', isMissing: false }]
const unknownKind: readonly FieldError[] = [
  { field: '', reason: 'is unknown in this version of MDS', isMissing: false },
]

/** How to read a record. */
export interface ReadItemOptions {
  version: MdsVersion
  kind: ItemKind
  context: MdsContext
  /** The position of the record in its response or push, such as `events[3]`; empty if it is the only one. */
  path?: string
}

/** Reads a record and adds it to `records`, or a finding if it is invalid. Returns its errors. */
export function readItemInto(
  records: FeedRecords,
  item: unknown,
  { version, kind, context, path = '' }: ReadItemOptions,
): readonly FieldError[] {
  const reader = (readers[version] as Partial<Record<ItemKind, readonly [ReadRecord, string]>>)[kind]
  const setAside = (errors: readonly FieldError[], recordId: string): readonly FieldError[] => {
    const field = errors[0]?.field ?? ''
    records.findings.push(
      createFinding({
        kind: 'schema',
        recordId: recordId || path,
        field: path && field ? `${path}.${field}` : path || field,
        reason: describeErrors(errors),
        item,
      }),
    )
    return errors
  }
  if (!reader) return setAside(unknownKind, '')
  if (!isItem(item)) return setAside(notAnObject, '')
  const [read, idKey] = reader
  const reading = createReading(context)
  read(new Fields(item, reading), records, path ? `${path}.` : '')
  const id = item[idKey]
  const recordId = typeof id === 'string' ? id.slice(0, 255) : ''
  if (reading.errors.length) return setAside(reading.errors, recordId)
  if (reading.skewedField)
    records.findings.push(
      createFinding({
        kind: 'clock_skew',
        recordId: recordId || path,
        field: path ? `${path}.${reading.skewedField}` : reading.skewedField,
        reason: `${reading.skewedField} is ${Math.round(reading.skewMs / 1000)} s after its receipt.`,
        item,
      }),
    )
  return reading.errors
}

/** Reads a single record. Returns what it contains, for example an event and a point, and its errors. */
export function readMdsItem(
  item: unknown,
  options: ReadItemOptions,
): { records: FeedRecords; errors: readonly FieldError[] } {
  const records = noRecords()
  return { errors: readItemInto(records, item, options), records }
}
