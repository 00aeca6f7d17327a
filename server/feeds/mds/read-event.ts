import type { VehicleState } from '#contract/vehicle-states.ts'
import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import { eventTypeSet, needsTrip, vehicleStateSet } from './event-words.ts'
import type { Fields } from './fields.ts'
import { readGps } from './read-gps.ts'

/** Reads an Event of MDS 2.0. Transitions are not checked, because events arrive out of order. */
export function readEvent(fields: Fields, records: FeedRecords): void {
  const { context, errors } = fields.reading
  const deviceId = fields.uuid('device_id')
  fields.checkProvider()
  fields.checkOptionalUuid('data_provider_id')
  const eventId = fields.uuid('event_id')
  const state = fields.oneOf('vehicle_state', vehicleStateSet)
  const types = fields.listOf('event_types', eventTypeSet)
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
  if (errors.length) return
  records.events.push({
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
