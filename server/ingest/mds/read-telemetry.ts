import type { FeedRecords } from '#server/mobility/fleet/feed-records.ts'
import type { Fields } from './fields.ts'
import { readGps } from './read-gps.ts'

const places: ReadonlySet<string> = new Set(['street', 'sidewalk', 'crosswalk', 'garage', 'bike_lane'])

/** Reads a Telemetry point of MDS 2.0. */
export function readTelemetry(fields: Fields, into: FeedRecords): void {
  const { context, faults } = fields.reading
  const deviceId = fields.uuid('device_id')
  fields.provider()
  fields.uuidIfAny('data_provider_id')
  const telemetryId = fields.uuid('telemetry_id')
  const time = fields.time('timestamp')
  // Both must be said, also that there is none.
  for (const key of ['trip_ids', 'journey_id']) if (fields.item[key] === undefined) fields.missing(key)
  const tripIds = fields.uuidsIfAny('trip_ids')
  fields.uuidIfAny('journey_id')
  fields.uuidIfAny('stop_id')
  const { lon, lat, speed, heading, accuracy } = readGps(fields.within('location'))
  fields.oneOfIfAny('location_type', places)
  const battery = fields.integerIfAny('battery_percent', 0, 100)
  fields.integerIfAny('fuel_percent', 0, 100)
  if (fields.has('tipped_over')) fields.trueOrFalse('tipped_over')
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
