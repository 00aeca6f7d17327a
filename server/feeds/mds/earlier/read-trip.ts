import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import { describeErrors } from '../field-error.ts'
import { Fields, isItem, createReading } from '../fields.ts'
import { createFinding } from '../create-finding.ts'
import { checkCosts, serializeTripAttributes } from '../read-trip.ts'
import { readPoint, type TimedPosition } from './read-point.ts'
import { withIdentityAttributes, readIdentity } from './read-registration.ts'
import { createTelemetryId } from './read-status.ts'

/** Reads the points of a route. Invalid points are skipped, with one finding. `path`: that of the trip. */
function readRoute(fields: Fields, records: FeedRecords, tripId: string, path: string): TimedPosition[] {
  const route = fields.object('route')
  const features = route?.item['features']
  if (!route) return []
  if (!Array.isArray(features) || features.length < 2) {
    route.addError('features', 'must be a list of at least two points')
    return []
  }
  const points: TimedPosition[] = []
  let firstError = ''
  let badCount = 0
  features.forEach((feature: unknown, index) => {
    const reading = createReading(fields.reading.context)
    const point = isItem(feature) ? readPoint(new Fields(feature, reading)) : null
    if (point && !reading.errors.length) return void points.push(point)
    if (badCount++ === 0)
      firstError = `${index} ${point ? describeErrors(reading.errors) : 'is not an object.'}`
  })
  if (points.length < 2) route.addError('features', 'must contain at least two valid points')
  else if (badCount)
    records.findings.push(
      createFinding({
        kind: 'schema',
        recordId: tripId,
        field: `${path}route.features`,
        reason: `${badCount} of ${features.length} points are invalid; the first one: ${firstError}`,
        item: null,
      }),
    )
  return points
}

/** Reads a trip of MDS 1.2. The points of its route become telemetry, the first and the last one its ends. */
export function readEarlierTrip(fields: Fields, records: FeedRecords, path: string): void {
  const {
    context: { operator },
    errors,
  } = fields.reading
  const findingCount = records.findings.length
  fields.checkText('provider_name')
  fields.checkProvider()
  const vehicle = readIdentity(fields)
  const tripId = fields.uuid('trip_id')
  const startTime = fields.time('start_time')
  const endTime = fields.time('end_time')
  const duration = fields.integer('trip_duration')
  const distance = fields.integer('trip_distance')
  const published = fields.optionalTime('publication_time')
  fields.checkInteger('accuracy')
  checkCosts(fields)
  const route = readRoute(fields, records, tripId, path)
  const attributes = serializeTripAttributes(fields)
  const start = route[0]
  const end = route.at(-1)
  if (errors.length || !start || !end) {
    // The caller reports an invalid trip; findings about its route would be duplicates.
    records.findings.length = findingCount
    return
  }
  const { deviceId } = vehicle
  records.vehicles.push(withIdentityAttributes(vehicle, fields))
  records.trips.push({
    operator,
    tripId,
    deviceId,
    startTime,
    endTime,
    startLon: start.lon,
    startLat: start.lat,
    endLon: end.lon,
    endLat: end.lat,
    distance,
    duration,
    published,
    attributes,
  })
  for (const { time, lon, lat, speed, heading, accuracy } of route)
    records.telemetry.push({
      operator,
      deviceId,
      telemetryId: createTelemetryId(operator, deviceId, tripId, time),
      time,
      tripIds: [tripId],
      lon,
      lat,
      speed,
      heading,
      accuracy,
      battery: Number.NaN,
    })
}
