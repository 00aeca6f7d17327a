import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import { needsTrip } from '../event-words.ts'
import type { Fields } from '../fields.ts'
import { earlierEvents, earlierStates, eventTypeOf, stateOf } from './event-words.ts'
import { readBattery } from './read-battery.ts'
import { readPoint } from './read-point.ts'
import { namedVehicle, readNamed } from './read-registration.ts'
import { eventIdOf } from './read-status.ts'

/** Reads a status change of MDS 1.2: the event and its vehicle. */
export function readStatusChange(fields: Fields, into: FeedRecords): void {
  const {
    context: { operator },
    faults,
  } = fields.reading
  fields.text('provider_name')
  fields.provider()
  const vehicle = readNamed(fields)
  const time = fields.time('event_time')
  const published = fields.timeIfAny('publication_time')
  const { lon, lat, accuracy } = readPoint(fields.within('event_location'))
  fields.uuidsIfAny('event_geographies')
  const state = fields.oneOf('vehicle_state', earlierStates)
  const types = fields.someOf('event_types', earlierEvents)
  const battery = readBattery(fields, 'battery_pct')
  const tripId = needsTrip(types) ? fields.uuid('trip_id') : fields.uuidIfAny('trip_id')
  fields.textIfAny('associated_ticket')
  if (faults.length) return
  const { deviceId } = vehicle
  into.vehicles.push(namedVehicle(vehicle, fields))
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
    published,
  })
}
