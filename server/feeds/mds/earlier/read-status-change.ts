import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import { needsTrip } from '../event-words.ts'
import type { Fields } from '../fields.ts'
import { earlierEvents, earlierStates, toEventType, toVehicleState } from './event-words.ts'
import { readBattery } from './read-battery.ts'
import { readPoint } from './read-point.ts'
import { withIdentityAttributes, readIdentity } from './read-registration.ts'
import { createEventId } from './read-status.ts'

/** Reads a status change of MDS 1.2: an event and its vehicle. */
export function readStatusChange(fields: Fields, records: FeedRecords): void {
  const {
    context: { operator },
    errors,
  } = fields.reading
  fields.checkText('provider_name')
  fields.checkProvider()
  const vehicle = readIdentity(fields)
  const time = fields.time('event_time')
  const published = fields.optionalTime('publication_time')
  const { lon, lat, accuracy } = readPoint(fields.object('event_location'))
  fields.checkOptionalUuids('event_geographies')
  const state = fields.oneOf('vehicle_state', earlierStates)
  const types = fields.listOf('event_types', earlierEvents)
  const battery = readBattery(fields, 'battery_pct')
  const tripId = needsTrip(types) ? fields.uuid('trip_id') : fields.optionalUuid('trip_id')
  fields.checkOptionalText('associated_ticket')
  if (errors.length) return
  const { deviceId } = vehicle
  records.vehicles.push(withIdentityAttributes(vehicle, fields))
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
    published,
  })
}
