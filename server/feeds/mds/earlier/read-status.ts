import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import { deriveUuid } from '#server/stores/derive-uuid.ts'
import type { Fields } from '../fields.ts'
import { earlierEvents, earlierStates, toEventType, toVehicleState } from './event-words.ts'
import { readBattery } from './read-battery.ts'
import { readPoint } from './read-point.ts'
import { withIdentityAttributes, readIdentity } from './read-registration.ts'

/** Creates an id for an event, because MDS 1.2 has none. The same event always gets the same id. */
export const createEventId = (
  operator: string,
  deviceId: string,
  time: number,
  types: readonly string[],
): string => deriveUuid(operator, deviceId, time, types.join(','))

/** Creates an id for a telemetry point, because MDS 1.2 has none. The same point always gets the same id. */
export const createTelemetryId = (operator: string, deviceId: string, tripId: string, time: number): string =>
  deriveUuid(operator, deviceId, tripId, time, 'telemetry')

/** Reads an item of /vehicles of MDS Provider 1.2: the vehicle, its last event and its current location. */
export function readEarlierStatus(fields: Fields, records: FeedRecords): void {
  const {
    context: { operator },
    errors,
  } = fields.reading
  fields.checkText('provider_name')
  fields.checkProvider()
  const vehicle = readIdentity(fields)
  const time = fields.time('last_event_time')
  const state = fields.oneOf('last_vehicle_state', earlierStates)
  const types = fields.listOf('last_event_types', earlierEvents)
  const { lon, lat, accuracy } = readPoint(fields.object('last_event_location'))
  const currentPoint = fields.has('current_location') ? readPoint(fields.object('current_location')) : null
  const battery = readBattery(fields, 'battery_pct')
  const tripId = fields.optionalUuid('trip_id')
  if (errors.length) return
  const { deviceId } = vehicle
  const tripIds = tripId ? [tripId] : []
  records.vehicles.push(withIdentityAttributes(vehicle, fields))
  records.events.push({
    operator,
    deviceId,
    eventId: createEventId(operator, deviceId, time, types),
    time,
    state: toVehicleState(state, types),
    types: types.map(toEventType),
    tripIds,
    lon,
    lat,
    accuracy,
    battery,
    published: 0,
  })
  if (currentPoint)
    records.telemetry.push({
      operator,
      deviceId,
      telemetryId: createTelemetryId(operator, deviceId, tripId, currentPoint.time),
      time: currentPoint.time,
      tripIds,
      lon: currentPoint.lon,
      lat: currentPoint.lat,
      speed: currentPoint.speed,
      heading: currentPoint.heading,
      accuracy: currentPoint.accuracy,
      battery,
    })
}
