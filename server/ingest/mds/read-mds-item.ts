import { type FeedRecords, noRecords } from '#server/mobility/fleet/feed-records.ts'
import { readEarlierStatus } from './earlier/read-status.ts'
import { readEarlierStop, readEarlierStopChange } from './earlier/read-stop.ts'
import { readEarlierTrip } from './earlier/read-trip.ts'
import { readPushedEvent, readPushedPoint } from './earlier/read-pushed-event.ts'
import { readRegistration } from './earlier/read-registration.ts'
import { readStatusChange } from './earlier/read-status-change.ts'
import { type Fault, faultsText } from './fault.ts'
import { Fields, isItem, newReading } from './fields.ts'
import { findingOf } from './finding-of.ts'
import type { MdsContext, MdsVersion } from './mds-context.ts'
import { readEvent } from './read-event.ts'
import { readStatus } from './read-status.ts'
import { readStop, readStopChange } from './read-stop.ts'
import { readTelemetry } from './read-telemetry.ts'
import { readTrip } from './read-trip.ts'
import { readVehicle } from './read-vehicle.ts'

type Read = (fields: Fields, into: FeedRecords, path: string) => void

/** What a record can be, and where its own id stands. Of 1.2, `vehicle`, `pushed_event` and `telemetry` are the Agency's, `status` and `event` the Provider's. */
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
} as const satisfies Record<MdsVersion, Record<string, readonly [Read, string]>>

export type ItemKind = keyof (typeof readers)['2.0'] | keyof (typeof readers)['1.2']

const whole: readonly Fault[] = [{ field: '', reason: 'must be an object', isMissing: false }]
const unknownKind: readonly Fault[] = [
  { field: '', reason: 'is nothing that this version of MDS knows', isMissing: false },
]

/**
 * Reads one record into `into`: what is good as records, what is not as a finding. Answers what is wrong with it; nothing where it
 * was taken. `path` is where it stands, as in `events[3]`.
 */
export function readItemInto(
  into: FeedRecords,
  version: MdsVersion,
  kind: ItemKind,
  item: unknown,
  context: MdsContext,
  path: string,
): readonly Fault[] {
  const reader = (readers[version] as Partial<Record<ItemKind, readonly [Read, string]>>)[kind]
  const setAside = (faults: readonly Fault[], recordId: string): readonly Fault[] => {
    const field = faults[0]?.field ?? ''
    into.findings.push(
      findingOf(
        'schema',
        recordId || path,
        path && field ? `${path}.${field}` : path || field,
        faultsText(faults),
        item,
      ),
    )
    return faults
  }
  if (!reader) return setAside(unknownKind, '')
  if (!isItem(item)) return setAside(whole, '')
  const [read, idKey] = reader
  const reading = newReading(context)
  read(new Fields(item, reading), into, path ? `${path}.` : '')
  const own = item[idKey]
  const recordId = typeof own === 'string' ? own.slice(0, 255) : ''
  if (reading.faults.length) return setAside(reading.faults, recordId)
  if (reading.late)
    into.findings.push(
      findingOf(
        'clock_skew',
        recordId || path,
        path ? `${path}.${reading.late}` : reading.late,
        `${reading.late} lies ${Math.round(reading.lateBy / 1000)} s after its receipt.`,
        item,
      ),
    )
  return reading.faults
}

/** One record on its own: what it holds, and what is wrong with it. */
export function readMdsItem(
  version: MdsVersion,
  kind: ItemKind,
  item: unknown,
  context: MdsContext,
  path = '',
): { records: FeedRecords; faults: readonly Fault[] } {
  const records = noRecords()
  return { faults: readItemInto(records, version, kind, item, context, path), records }
}
