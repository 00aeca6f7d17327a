import type { VehicleState } from '#contract/vehicle-states.ts'
import type { FeedRecords } from '#server/mobility/fleet/feed-records.ts'
import { events, needsTrip, states } from './event-words.ts'
import type { Fields } from './fields.ts'
import { readGps } from './read-gps.ts'

/** Reads an Event of MDS 2.0. Whether it fits the state before is not asked: events come out of order. */
export function readEvent(fields: Fields, into: FeedRecords): void {
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
