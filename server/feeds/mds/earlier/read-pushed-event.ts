import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import { needsTrip } from '../event-words.ts'
import { type Fields, parseUuid } from '../fields.ts'
import { readGps } from '../read-gps.ts'
import { earlierEvents, earlierStates, toEventType, toVehicleState } from './event-words.ts'
import { readBattery } from './read-battery.ts'
import { createEventId, createTelemetryId } from './read-status.ts'

/**
 * Reads a telemetry point as pushed in MDS 1.2; null if it is invalid. `tripId`: the trip of its event, ''
 * for a point without event or trip.
 */
function readTelemetry(fields: Fields, tripId: string) {
  const {
    context: { operator },
    errors,
  } = fields.reading
  const deviceId = fields.uuid('device_id')
  const time = fields.time('timestamp')
  const gps = fields.object('gps')
  gps?.checkOptionalNumber('hdop')
  const position = readGps(gps, 'accuracy')
  const battery = readBattery(fields, 'charge')
  fields.checkOptionalUuid('stop_id')
  if (errors.length) return null
  return {
    operator,
    deviceId,
    telemetryId: createTelemetryId(operator, deviceId, tripId, time),
    time,
    tripIds: tripId ? [tripId] : [],
    ...position,
    battery,
  }
}

/** Reads a point of /vehicles/telemetry of the MDS 1.2 Agency API. */
export function readPushedPoint(fields: Fields, records: FeedRecords): void {
  const point = readTelemetry(fields, '')
  if (point) records.telemetry.push(point)
}

/** Reads an event of /vehicles/{device_id}/event of MDS Agency 1.2. `device_id` was added from the path. */
export function readPushedEvent(fields: Fields, records: FeedRecords): void {
  const {
    context: { operator },
    errors,
  } = fields.reading
  const deviceId = fields.uuid('device_id')
  const state = fields.oneOf('vehicle_state', earlierStates)
  const types = fields.listOf('event_types', earlierEvents)
  const time = fields.time('timestamp')
  fields.checkOptionalUuids('event_geographies')
  const tripId = needsTrip(types) ? fields.uuid('trip_id') : fields.optionalUuid('trip_id')
  const telemetry = fields.object('telemetry')
  if (
    telemetry &&
    deviceId &&
    parseUuid(telemetry.item['device_id']) &&
    parseUuid(telemetry.item['device_id']) !== deviceId
  )
    telemetry.addError('device_id', 'is another vehicle')
  const point = telemetry && readTelemetry(telemetry, tripId)
  if (errors.length || !point) return
  const { lon, lat, accuracy, battery } = point
  records.events.push({
    operator,
    deviceId,
    eventId: createEventId(operator, deviceId, time, types),
    time,
    state: toVehicleState(state, types),
    types: types.map(toEventType),
    tripIds: tripId ? [tripId] : [],
    lon,
    lat,
    accuracy,
    battery,
    published: 0,
  })
  records.telemetry.push(point)
}
