import { type FeedRecords, noRecords } from '#server/fleet/events/feed-records.ts'
import { readEarlierStatus } from './earlier/read-status.ts'
import { readEarlierStop, readEarlierStopChange } from './earlier/read-stop.ts'
import { readEarlierTrip } from './earlier/read-trip.ts'
import { readPushedEvent, readPushedPoint } from './earlier/read-pushed-event.ts'
import { readRegistration } from './earlier/read-registration.ts'
import { readStatusChange } from './earlier/read-status-change.ts'
import { type Fault, describeFaults } from './fault.ts'
import { Fields, isItem, createReading, parseUuid } from './fields.ts'
import { createFinding } from './create-finding.ts'
import type { MdsContext, MdsVersion } from './mds-context.ts'
import { readStop, readStopChange } from './read-stop.ts'
import { readTrip } from './read-trip.ts'
import { serializeAttributes } from './json-text.ts'
import { propulsions, toVehicleType, vehicleTypes } from './vehicle-words.ts'
import { readGps } from './read-gps.ts'
import type { VehicleState } from '#contract/vehicle-states.ts'
import { events, needsTrip, states } from './event-words.ts'

/**
 * Reads an Event of MDS 2.0. The transition from the previous state is not checked, because events arrive out
 * of order.
 */
function readEvent(fields: Fields, into: FeedRecords): void {
  const { context, faults } = fields.reading
  const deviceId = fields.uuid('device_id')
  fields.checkProvider()
  fields.checkOptionalUuid('data_provider_id')
  const eventId = fields.uuid('event_id')
  const state = fields.oneOf('vehicle_state', states)
  const types = fields.listOf('event_types', events)
  const time = fields.time('timestamp')
  const published = fields.optionalTime('publication_time')
  const { lon, lat, accuracy } = readGps(fields.object('location'))
  fields.checkOptionalUuids('event_geographies')
  const battery = fields.optionalInteger('battery_percent', 0, 100)
  fields.checkOptionalInteger('fuel_percent', 0, 100)
  const tripIds = fields.optionalUuids('trip_ids')
  if (!tripIds.length && needsTrip(types)) fields.addMissing('trip_ids')
  fields.checkOptionalUuid('stop_id')
  fields.checkOptionalText('associated_ticket')
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
  fields.checkProvider()
  fields.checkOptionalUuid('data_provider_id')
  const telemetryId = fields.uuid('telemetry_id')
  const time = fields.time('timestamp')
  // Both fields are required, but may be null.
  for (const key of ['trip_ids', 'journey_id']) if (fields.item[key] === undefined) fields.addMissing(key)
  const tripIds = fields.optionalUuids('trip_ids')
  fields.checkOptionalUuid('journey_id')
  fields.checkOptionalUuid('stop_id')
  const { lon, lat, speed, heading, accuracy } = readGps(fields.object('location'))
  fields.checkOptionalOneOf('location_type', places)
  const battery = fields.optionalInteger('battery_percent', 0, 100)
  fields.checkOptionalInteger('fuel_percent', 0, 100)
  if (fields.has('tipped_over')) fields.checkBoolean('tipped_over')
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
  fields.checkProvider()
  fields.checkOptionalUuid('data_provider_id')
  const vehicleId = fields.text('vehicle_id')
  const type = fields.oneOf('vehicle_type', vehicleTypes)
  const propulsionTypes = fields.listOf('propulsion_types', propulsions)
  if (fields.has('vehicle_attributes')) fields.object('vehicle_attributes')
  fields.checkOptionalInteger('battery_capacity', ...anyCount)
  fields.checkOptionalInteger('fuel_capacity', ...anyCount)
  fields.checkOptionalInteger('maximum_speed', ...anyCount)
  const attributes = serializeAttributes(fields, fields.item)
  if (faults.length) return
  into.vehicles.push({
    operator: context.operator,
    deviceId,
    vehicleId,
    vehicleType: toVehicleType(type, propulsionTypes),
    mode: context.mode ?? 'micromobility',
    propulsionTypes,
    attributes,
  })
}

/**
 * Reads a Vehicle status of MDS 2.0: the last event and the last telemetry, which must name the same vehicle.
 */
function readStatus(fields: Fields, into: FeedRecords): void {
  const { faults } = fields.reading
  const deviceId = fields.uuid('device_id')
  fields.checkProvider()
  const [eventCount, pointCount] = [into.events.length, into.telemetry.length]
  for (const [key, read] of [
    ['last_event', readEvent],
    ['last_telemetry', readTelemetry],
  ] as const) {
    const part = fields.object(key)
    if (!part) continue
    if (deviceId && parseUuid(part.item['device_id']) && parseUuid(part.item['device_id']) !== deviceId)
      part.addFault('device_id', 'is another vehicle')
    read(part, into)
  }
  if (!faults.length) return
  // If one of the two is invalid, the other is not stored either.
  into.events.length = eventCount
  into.telemetry.length = pointCount
}

/** Reads the fields of a record and adds it to `into` if it is valid. */
type ReadRecord = (fields: Fields, into: FeedRecords, path: string) => void

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

const notAnObject: readonly Fault[] = [{ field: '', reason: 'must be an object', isMissing: false }]
const unknownKind: readonly Fault[] = [
  { field: '', reason: 'is unknown in this version of MDS', isMissing: false },
]

/**
 * Reads a record and adds it to `into`, or a finding if it is invalid. Returns its faults, which are empty if
 * it is valid. `path`: its position, such as `events[3]`.
 */
export function readItemInto(
  into: FeedRecords,
  version: MdsVersion,
  kind: ItemKind,
  item: unknown,
  context: MdsContext,
  path: string,
): readonly Fault[] {
  const reader = (readers[version] as Partial<Record<ItemKind, readonly [ReadRecord, string]>>)[kind]
  const setAside = (faults: readonly Fault[], recordId: string): readonly Fault[] => {
    const field = faults[0]?.field ?? ''
    into.findings.push(
      createFinding(
        'schema',
        recordId || path,
        path && field ? `${path}.${field}` : path || field,
        describeFaults(faults),
        item,
      ),
    )
    return faults
  }
  if (!reader) return setAside(unknownKind, '')
  if (!isItem(item)) return setAside(notAnObject, '')
  const [read, idKey] = reader
  const reading = createReading(context)
  read(new Fields(item, reading), into, path ? `${path}.` : '')
  const id = item[idKey]
  const recordId = typeof id === 'string' ? id.slice(0, 255) : ''
  if (reading.faults.length) return setAside(reading.faults, recordId)
  if (reading.skewedField)
    into.findings.push(
      createFinding(
        'clock_skew',
        recordId || path,
        path ? `${path}.${reading.skewedField}` : reading.skewedField,
        `${reading.skewedField} is ${Math.round(reading.skewMs / 1000)} s after its receipt.`,
        item,
      ),
    )
  return reading.faults
}

/** Reads a single record. Returns what it contains, for example an event and a point, and its faults. */
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
