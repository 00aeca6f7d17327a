import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import type { Fields } from '../fields.ts'
import { madeUuid } from '#server/stores/made-uuid.ts'
import { earlierEvents, earlierStates, eventTypeOf, stateOf } from './event-words.ts'
import { readBattery } from './read-battery.ts'
import { readPoint } from './read-point.ts'
import { namedVehicle, readNamed } from './read-registration.ts'

/** An id for an event: MDS 1.2 has none, and the same event must get the same id. */
export const eventIdOf = (
  operator: string,
  deviceId: string,
  time: number,
  types: readonly string[],
): string => madeUuid(operator, deviceId, time, types.join(','))

/** An id for a telemetry point: MDS 1.2 has none. */
export const telemetryIdOf = (operator: string, deviceId: string, tripId: string, time: number): string =>
  madeUuid(operator, deviceId, tripId, time, 'telemetry')

/** Reads a vehicle of MDS 1.2's provider /vehicles: the vehicle, its last event, and its place. */
export function readEarlierStatus(fields: Fields, into: FeedRecords): void {
  const {
    context: { operator },
    faults,
  } = fields.reading
  fields.text('provider_name')
  fields.provider()
  const vehicle = readNamed(fields)
  const time = fields.time('last_event_time')
  const state = fields.oneOf('last_vehicle_state', earlierStates)
  const types = fields.someOf('last_event_types', earlierEvents)
  const { lon, lat, accuracy } = readPoint(fields.within('last_event_location'))
  const current = fields.has('current_location') ? readPoint(fields.within('current_location')) : null
  const battery = readBattery(fields, 'battery_pct')
  const tripId = fields.uuidIfAny('trip_id')
  if (faults.length) return
  const { deviceId } = vehicle
  const tripIds = tripId ? [tripId] : []
  into.vehicles.push(namedVehicle(vehicle, fields))
  into.events.push({
    operator,
    deviceId,
    eventId: eventIdOf(operator, deviceId, time, types),
    time,
    state: stateOf(state, types),
    types: types.map(eventTypeOf),
    tripIds,
    lon,
    lat,
    accuracy,
    battery,
    published: 0,
  })
  if (current)
    into.telemetry.push({
      operator,
      deviceId,
      telemetryId: telemetryIdOf(operator, deviceId, tripId, current.time),
      time: current.time,
      tripIds,
      lon: current.lon,
      lat: current.lat,
      speed: current.speed,
      heading: current.heading,
      accuracy: current.accuracy,
      battery,
    })
}
