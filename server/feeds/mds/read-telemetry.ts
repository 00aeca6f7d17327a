import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import type { Fields } from './fields.ts'
import { readGps } from './read-gps.ts'

const locationTypes: ReadonlySet<string> = new Set(['street', 'sidewalk', 'crosswalk', 'garage', 'bike_lane'])

/** Reads a Telemetry point of MDS 2.0. */
export function readTelemetry(fields: Fields, records: FeedRecords): void {
  const { context, errors } = fields.reading
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
  fields.checkOptionalOneOf('location_type', locationTypes)
  const battery = fields.optionalInteger('battery_percent', 0, 100)
  fields.checkOptionalInteger('fuel_percent', 0, 100)
  if (fields.has('tipped_over')) fields.checkBoolean('tipped_over')
  if (errors.length) return
  records.telemetry.push({
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
