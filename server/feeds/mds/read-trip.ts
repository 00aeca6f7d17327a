import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import { type Fields, isItem } from './fields.ts'
import { serializeAttributes } from './json-text.ts'
import { readGps } from './read-gps.ts'

const parkingCategories: ReadonlySet<string> = new Set(['corral', 'curb', 'rack', 'other_valid', 'invalid'])
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
/** Fields that are not stored as attributes: they have a column of their own or do not describe the trip. */
const nonAttributes: ReadonlySet<string> = new Set([
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

/** Checks the trip type: one value according to the text of MDS, a list according to its schema. */
function checkTripType(fields: Fields): void {
  const value = fields.item['trip_type']
  if (Array.isArray(value) && value.length) fields.checkListOf('trip_type', tripTypes)
  else if (!Array.isArray(value)) fields.checkOptionalOneOf('trip_type', tripTypes)
}

/** Checks the costs of a trip, which are in the smallest unit of the currency. */
export function checkCosts(fields: Fields): void {
  fields.checkOptionalInteger('standard_cost', 0, Number.MAX_SAFE_INTEGER)
  fields.checkOptionalInteger('actual_cost', 0, Number.MAX_SAFE_INTEGER)
  const currency = fields.optionalText('currency')
  if (fields.has('currency') && !/^[A-Z]{3}$/.test(currency))
    fields.addError('currency', 'must be a currency of ISO 4217')
  const url = fields.item['parking_verification_url']
  if (fields.has('parking_verification_url') && typeof url !== 'string')
    // Unlike other texts, a URL has no maximum length.
    fields.addError('parking_verification_url', 'must be a text')
}

/** Serializes the fields of a trip without a column of their own as JSON; '' if there are none. */
export function serializeTripAttributes(fields: Fields): string {
  const attributes = Object.entries(fields.item).filter(
    ([key, value]) => !nonAttributes.has(key) && value !== null,
  )
  return attributes.length ? serializeAttributes(fields, Object.fromEntries(attributes)) : ''
}

/** Reads a Trip of MDS 2.0. */
export function readTrip(fields: Fields, records: FeedRecords): void {
  const { context, errors } = fields.reading
  fields.checkProvider()
  fields.checkOptionalUuid('data_provider_id')
  const deviceId = fields.uuid('device_id')
  const tripId = fields.uuid('trip_id')
  fields.checkOptionalUuid('journey_id')
  checkTripType(fields)
  for (const key of ['journey_attributes', 'trip_attributes', 'fare_attributes'])
    if (fields.has(key) && !isItem(fields.item[key])) fields.addError(key, 'must be an object')
  const startTime = fields.time('start_time')
  const endTime = fields.time('end_time')
  const start = readGps(fields.object('start_location'))
  const end = readGps(fields.object('end_location'))
  const duration = fields.integer('duration')
  const distance = fields.integer('distance')
  const published = fields.optionalTime('publication_time')
  fields.checkOptionalOneOf('parking_category', parkingCategories)
  checkCosts(fields)
  const attributes = serializeTripAttributes(fields)
  if (errors.length) return
  records.trips.push({
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
