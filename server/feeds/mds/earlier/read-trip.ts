import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import { faultsText } from '../fault.ts'
import { Fields, isItem, newReading } from '../fields.ts'
import { findingOf } from '../finding-of.ts'
import { readCosts, tripAttributes } from '../read-trip.ts'
import { readPoint, type TimedPosition } from './read-point.ts'
import { namedVehicle, readNamed } from './read-registration.ts'
import { telemetryIdOf } from './read-status.ts'

/** Reads the points of a route. Invalid ones are left out: a finding names the first and their number. */
function readRoute(fields: Fields, into: FeedRecords, tripId: string, path: string): TimedPosition[] {
  const route = fields.within('route')
  const features = route?.item['features']
  if (!route) return []
  if (!Array.isArray(features) || features.length < 2) {
    route.bad('features', 'must be a list of at least two points')
    return []
  }
  const points: TimedPosition[] = []
  let [firstBad, bad] = ['', 0]
  features.forEach((feature: unknown, index) => {
    const reading = newReading(fields.reading.context)
    const point = isItem(feature) ? readPoint(new Fields(feature, reading)) : null
    if (point && !reading.faults.length) return void points.push(point)
    if (bad++ === 0) firstBad = `${index} ${point ? faultsText(reading.faults) : 'is no object.'}`
  })
  if (points.length < 2) route.bad('features', 'must hold at least two points that can be read')
  else if (bad)
    into.findings.push(
      findingOf(
        'schema',
        tripId,
        `${path}route.features`,
        `${bad} of ${features.length} points are set aside; of the first, ${firstBad}`,
        null,
      ),
    )
  return points
}

/** Reads a trip of MDS 1.2: its route becomes telemetry of the trip, its ends are those of the route. */
export function readEarlierTrip(fields: Fields, into: FeedRecords, path: string): void {
  const {
    context: { operator },
    faults,
  } = fields.reading
  const before = into.findings.length
  fields.text('provider_name')
  fields.provider()
  const vehicle = readNamed(fields)
  const tripId = fields.uuid('trip_id')
  const startTime = fields.time('start_time')
  const endTime = fields.time('end_time')
  const duration = fields.integer('trip_duration')
  const distance = fields.integer('trip_distance')
  const published = fields.timeIfAny('publication_time')
  fields.integer('accuracy')
  readCosts(fields)
  const route = readRoute(fields, into, tripId, path)
  const attributes = tripAttributes(fields)
  const [start, end] = [route[0], route.at(-1)]
  if (faults.length || !start || !end) {
    into.findings.length = before
    return
  }
  const { deviceId } = vehicle
  into.vehicles.push(namedVehicle(vehicle, fields))
  into.trips.push({
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
    into.telemetry.push({
      operator,
      deviceId,
      telemetryId: telemetryIdOf(operator, deviceId, tripId, time),
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
