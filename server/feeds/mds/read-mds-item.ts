import { type FeedRecords, noRecords } from '#server/fleet/events/feed-records.ts'
import { readEarlierStatus } from './earlier/read-status.ts'
import { readEarlierStop, readEarlierStopChange } from './earlier/read-stop.ts'
import { readEarlierTrip } from './earlier/read-trip.ts'
import { readPushedEvent, readPushedPoint } from './earlier/read-pushed-event.ts'
import { readRegistration } from './earlier/read-registration.ts'
import { readStatusChange } from './earlier/read-status-change.ts'
import { type Fault, faultsText } from './fault.ts'
import { Fields, isItem, newReading, uuidOf } from './fields.ts'
import { findingOf } from './finding-of.ts'
import type { MdsContext, MdsVersion } from './mds-context.ts'
import { readStop, readStopChange } from './read-stop.ts'
import { readTrip } from './read-trip.ts'
import { attributesOf } from './json-text.ts'
import { propulsions, readVehicleType, vehicleTypes } from './vehicle-words.ts'
import { readGps } from './read-gps.ts'
import type { VehicleState } from '#contract/vehicle-states.ts'
import { events, needsTrip, states } from './event-words.ts'

/** Reads an Event of MDS 2.0. Whether it fits the previous state is not checked: events arrive out of order. */
function readEvent(fields: Fields, into: FeedRecords): void {
  const { context, faults } = fields.reading
  const deviceId = fields.uuid('device_id')
  fields.provider()
  fields.uuidIfAny('data_provider_id')
  const eventId = fields.uuid('event_id')
  const state = fields.oneOf('vehicle_state', states)
  const types = fields.someOf('event_types', events)
  const time = fields.time('timestamp')
  const published = fields.timeIfAny('publication_time')
  const { lon, lat, accuracy } = readGps(fields.within('location'))
  fields.uuidsIfAny('event_geographies')
  const battery = fields.integerIfAny('battery_percent', 0, 100)
  fields.integerIfAny('fuel_percent', 0, 100)
  const tripIds = fields.uuidsIfAny('trip_ids')
  if (!tripIds.length && needsTrip(types)) fields.missing('trip_ids')
  fields.uuidIfAny('stop_id')
  fields.textIfAny('associated_ticket')
  if (faults.length) return
  into.events.push({
    operator: context.operator,
    deviceId,
    eventId,
    time,
    state: state as VehicleState,
    types,
    tripIds,
    lon,
    lat,
    accuracy,
    battery,
    published,
  })
}

const places: ReadonlySet<string> = new Set(['street', 'sidewalk', 'crosswalk', 'garage', 'bike_lane'])

/** Reads a Telemetry point of MDS 2.0. */
function readTelemetry(fields: Fields, into: FeedRecords): void {
  const { context, faults } = fields.reading
  const deviceId = fields.uuid('device_id')
  fields.provider()
  fields.uuidIfAny('data_provider_id')
  const telemetryId = fields.uuid('telemetry_id')
  const time = fields.time('timestamp')
  // Both fields are required, even for no trip.
  for (const key of ['trip_ids', 'journey_id']) if (fields.item[key] === undefined) fields.missing(key)
  const tripIds = fields.uuidsIfAny('trip_ids')
  fields.uuidIfAny('journey_id')
  fields.uuidIfAny('stop_id')
  const { lon, lat, speed, heading, accuracy } = readGps(fields.within('location'))
  fields.oneOfIfAny('location_type', places)
  const battery = fields.integerIfAny('battery_percent', 0, 100)
  fields.integerIfAny('fuel_percent', 0, 100)
  if (fields.has('tipped_over')) fields.trueOrFalse('tipped_over')
  if (faults.length) return
  into.telemetry.push({
    operator: context.operator,
    deviceId,
    telemetryId,
    time,
    tripIds,
    lon,
    lat,
    speed,
    heading,
    accuracy,
    battery,
  })
}

const anyCount = [0, Number.MAX_SAFE_INTEGER] as const

/** Reads a Vehicle of MDS 2.0. */
function readVehicle(fields: Fields, into: FeedRecords): void {
  const { context, faults } = fields.reading
  const deviceId = fields.uuid('device_id')
  fields.provider()
  fields.uuidIfAny('data_provider_id')
  const vehicleId = fields.text('vehicle_id')
  const type = fields.oneOf('vehicle_type', vehicleTypes)
  const propulsionTypes = fields.someOf('propulsion_types', propulsions)
  if (fields.has('vehicle_attributes')) fields.within('vehicle_attributes')
  fields.integerIfAny('battery_capacity', ...anyCount)
  fields.integerIfAny('fuel_capacity', ...anyCount)
  fields.integerIfAny('maximum_speed', ...anyCount)
  const attributes = attributesOf(fields, fields.item)
  if (faults.length) return
  into.vehicles.push({
    operator: context.operator,
    deviceId,
    vehicleId,
    vehicleType: readVehicleType(type, propulsionTypes),
    mode: context.mode ?? 'micromobility',
    propulsionTypes,
    attributes,
  })
}

/** Reads a Vehicle status of MDS 2.0: the vehicle's last event and last point, which must be of the same vehicle. */
function readStatus(fields: Fields, into: FeedRecords): void {
  const { faults } = fields.reading
  const deviceId = fields.uuid('device_id')
  fields.provider()
  const [events, points] = [into.events.length, into.telemetry.length]
  for (const [key, read] of [
    ['last_event', readEvent],
    ['last_telemetry', readTelemetry],
  ] as const) {
    const part = fields.within(key)
    if (!part) continue
    if (deviceId && uuidOf(part.item['device_id']) && uuidOf(part.item['device_id']) !== deviceId)
      part.bad('device_id', 'is another vehicle')
    read(part, into)
  }
  if (!faults.length) return
  into.events.length = events
  into.telemetry.length = points
}

type Read = (fields: Fields, into: FeedRecords, path: string) => void

/** Record kinds by version, with the field of the id. In 1.2, `vehicle`, `pushed_event` and `telemetry` are the Agency's, `status` and `event` the Provider's. */
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
  { field: '', reason: 'is unknown in this version of MDS', isMissing: false },
]

/**
 * Reads one record into `into`: valid ones as records, others as a finding. Returns its faults, empty if it is valid. `path` is its
 * position, such as `events[3]`.
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

/** Reads one record by itself: its records and its faults. */
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
