import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import { type Fields, isItem } from './fields.ts'
import { serializeAttributes } from './json-text.ts'
import { type Position, readGps } from './read-gps.ts'
import { vehicleTypes } from './vehicle-words.ts'

const rentalMethods: ReadonlySet<string> = new Set([
  'key',
  'creditcard',
  'paypass',
  'applepay',
  'androidpay',
  'transitcard',
  'accountnumber',
  'phone',
])
const requiredCounts = ['capacity', 'num_vehicles_available', 'num_vehicles_disabled'] as const
const mutableCounts = [
  'num_vehicles_available',
  'num_vehicles_disabled',
  'num_places_available',
  'num_places_disabled',
] as const

/** Checks a field with a non-negative count for each vehicle type. */
export function checkCounts(fields: Fields, key: string, types: ReadonlySet<string>): void {
  const value = fields.item[key]
  if (!isItem(value)) return fields.addError(key, 'must be an object of counts by vehicle type')
  for (const [type, count] of Object.entries(value))
    if (!types.has(type) || typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0)
      return fields.addError(key, 'must contain whole numbers by vehicle type')
}

/** Checks that the flags of a stop's status are true or false. */
export function checkStopStatus(fields: Fields): void {
  const status = fields.object('status')
  if (status) for (const key of ['is_installed', 'is_renting', 'is_returning']) status.checkBoolean(key)
}

/** Checks the mutable fields of a stop that are present. */
function checkMutable(fields: Fields): void {
  if (fields.has('status')) checkStopStatus(fields)
  for (const key of mutableCounts) if (fields.has(key)) checkCounts(fields, key, vehicleTypes)
  if (
    fields.has('rental_methods') &&
    !(
      Array.isArray(fields.item['rental_methods']) &&
      fields.item['rental_methods'].every((method) => rentalMethods.has(method as string))
    )
  )
    fields.addError('rental_methods', `must be a list of ${[...rentalMethods].join(', ')}`)
  fields.checkOptionalUuids('devices')
}

/** Checks the fields that a stop has in both versions, except for its location and counts. */
export function checkStopTexts(fields: Fields): void {
  fields.checkOptionalProvider()
  for (const key of ['geography_id', 'parent_stop', 'data_provider_id']) fields.checkOptionalUuid(key)
  for (const key of ['region_id', 'short_name', 'address', 'post_code', 'cross_street'])
    fields.checkOptionalText(key)
}

/** Adds a stop to `records` unless it has errors. */
export function addStop(
  fields: Fields,
  records: FeedRecords,
  {
    stopId,
    name,
    lastUpdated,
    lon,
    lat,
  }: { stopId: string; name: string; lastUpdated: number } & Pick<Position, 'lon' | 'lat'>,
): void {
  const attributes = serializeAttributes(fields, fields.item)
  if (fields.reading.errors.length) return
  records.stops.push({
    operator: fields.reading.context.operator,
    stopId,
    name,
    lon,
    lat,
    lastUpdated,
    attributes,
  })
}

/** Reads a Stop of MDS 2.0. */
export function readStop(fields: Fields, records: FeedRecords): void {
  const stopId = fields.uuid('stop_id')
  const name = fields.text('name')
  const lastUpdated = fields.time('last_updated')
  const { lon, lat } = readGps(fields.object('location'))
  fields.requires('status')
  for (const key of requiredCounts) fields.requires(key)
  if (fields.has('capacity')) checkCounts(fields, 'capacity', vehicleTypes)
  checkMutable(fields)
  checkStopTexts(fields)
  addStop(fields, records, { stopId, name, lastUpdated, lon, lat })
}

/** Reads a change of a Stop of MDS 2.0 as a stop without a location, with the changes in its attributes. */
export function readStopChange(fields: Fields, records: FeedRecords): void {
  const stopId = fields.uuid('stop_id')
  const lastUpdated = fields.time('last_updated')
  checkMutable(fields)
  addStop(fields, records, { stopId, name: '', lastUpdated, lon: Number.NaN, lat: Number.NaN })
}
