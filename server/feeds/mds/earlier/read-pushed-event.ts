import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import { needsTrip } from '../event-words.ts'
import { type Fields, uuidOf } from '../fields.ts'
import { readGps } from '../read-gps.ts'
import { earlierEvents, earlierStates, eventTypeOf, stateOf } from './event-words.ts'
import { readBattery } from './read-battery.ts'
import { eventIdOf, telemetryIdOf } from './read-status.ts'

/** Reads a telemetry point as pushed in MDS 1.2, of the trip of the event if there is one. Null if anything is invalid. */
function readPoint(fields: Fields, tripId: string) {
  const {
    context: { operator },
    faults,
  } = fields.reading
  const deviceId = fields.uuid('device_id')
  const time = fields.time('timestamp')
  const gps = fields.within('gps')
  gps?.numberIfAny('hdop')
  const position = readGps(gps, 'accuracy')
  const battery = readBattery(fields, 'charge')
  fields.uuidIfAny('stop_id')
  if (faults.length) return null
  return {
    operator,
    deviceId,
    telemetryId: telemetryIdOf(operator, deviceId, tripId, time),
    time,
    tripIds: tripId ? [tripId] : [],
    ...position,
    battery,
  }
}

/** Reads a point of MDS 1.2's agency /vehicles/telemetry. */
export function readPushedPoint(fields: Fields, into: FeedRecords): void {
  const point = readPoint(fields, '')
  if (point) into.telemetry.push(point)
}

/** Reads an event of MDS 1.2's agency /vehicles/{device_id}/event; `device_id` comes from the path. */
export function readPushedEvent(fields: Fields, into: FeedRecords): void {
  const {
    context: { operator },
    faults,
  } = fields.reading
  const deviceId = fields.uuid('device_id')
  const state = fields.oneOf('vehicle_state', earlierStates)
  const types = fields.someOf('event_types', earlierEvents)
  const time = fields.time('timestamp')
  fields.uuidsIfAny('event_geographies')
  const tripId = needsTrip(types) ? fields.uuid('trip_id') : fields.uuidIfAny('trip_id')
  const telemetry = fields.within('telemetry')
  if (
    telemetry &&
    deviceId &&
    uuidOf(telemetry.item['device_id']) &&
    uuidOf(telemetry.item['device_id']) !== deviceId
  )
    telemetry.bad('device_id', 'is another vehicle')
  const point = telemetry && readPoint(telemetry, tripId)
  if (faults.length || !point) return
  const { lon, lat, accuracy, battery } = point
  into.events.push({
    operator,
    deviceId,
    eventId: eventIdOf(operator, deviceId, time, types),
    time,
    state: stateOf(state, types),
    types: types.map(eventTypeOf),
    tripIds: tripId ? [tripId] : [],
    lon,
    lat,
    accuracy,
    battery,
    published: 0,
  })
  into.telemetry.push(point)
}
