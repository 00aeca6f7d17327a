import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import { type Fields, isItem } from './fields.ts'
import { attributesOf } from './json-text.ts'
import { readGps } from './read-gps.ts'

const parkings: ReadonlySet<string> = new Set(['corral', 'curb', 'rack', 'other_valid', 'invalid'])
const tripTypes: ReadonlySet<string> = new Set([
  'rider',
  'rebalance',
  'maintenance',
  'private',
  'shared',
  'reservation',
  'empty',
  'delivery',
  'return',
  'advertising',
  'mapping',
  'roaming',
])
/** Fields with a column of their own, and those that do not describe the trip. */
const elsewhere: ReadonlySet<string> = new Set([
  'provider_id',
  'provider_name',
  'device_id',
  'trip_id',
  'start_time',
  'end_time',
  'start_location',
  'end_location',
  'duration',
  'distance',
  'publication_time',
  'trip_duration',
  'trip_distance',
  'route',
])

/** A single value by the prose of MDS, a list by its schema. */
function readTripType(fields: Fields): void {
  const value = fields.item['trip_type']
  if (Array.isArray(value) && value.length) fields.someOf('trip_type', tripTypes)
  else if (!Array.isArray(value)) fields.oneOfIfAny('trip_type', tripTypes)
}

/** Costs are in the smallest unit of a currency. */
export function readCosts(fields: Fields): void {
  fields.integerIfAny('standard_cost', 0, Number.MAX_SAFE_INTEGER)
  fields.integerIfAny('actual_cost', 0, Number.MAX_SAFE_INTEGER)
  const currency = fields.textIfAny('currency')
  if (fields.has('currency') && !/^[A-Z]{3}$/.test(currency))
    fields.bad('currency', 'must be a currency of ISO 4217')
  const url = fields.item['parking_verification_url']
  if (fields.has('parking_verification_url') && typeof url !== 'string')
    fields.bad('parking_verification_url', 'must be a text')
}

/** The other fields of a trip as JSON; '' if there are none. */
export function tripAttributes(fields: Fields): string {
  const others = Object.entries(fields.item).filter(([key, value]) => !elsewhere.has(key) && value !== null)
  return others.length ? attributesOf(fields, Object.fromEntries(others)) : ''
}

/** Reads a Trip of MDS 2.0. */
export function readTrip(fields: Fields, into: FeedRecords): void {
  const { context, faults } = fields.reading
  fields.provider()
  fields.uuidIfAny('data_provider_id')
  const deviceId = fields.uuid('device_id')
  const tripId = fields.uuid('trip_id')
  fields.uuidIfAny('journey_id')
  readTripType(fields)
  for (const key of ['journey_attributes', 'trip_attributes', 'fare_attributes'])
    if (fields.has(key) && !isItem(fields.item[key])) fields.bad(key, 'must be an object')
  const startTime = fields.time('start_time')
  const endTime = fields.time('end_time')
  const start = readGps(fields.within('start_location'))
  const end = readGps(fields.within('end_location'))
  const duration = fields.integer('duration')
  const distance = fields.integer('distance')
  const published = fields.timeIfAny('publication_time')
  fields.oneOfIfAny('parking_category', parkings)
  readCosts(fields)
  const attributes = tripAttributes(fields)
  if (faults.length) return
  into.trips.push({
    operator: context.operator,
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
}
