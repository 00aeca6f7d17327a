import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import { type Fields, isItem } from './fields.ts'
import { attributesOf } from './json-text.ts'
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
const counts = ['capacity', 'num_vehicles_available', 'num_vehicles_disabled'] as const
const mutableCounts = [
  'num_vehicles_available',
  'num_vehicles_disabled',
  'num_places_available',
  'num_places_disabled',
] as const

/** A number for each vehicle type, none negative. */
export function readCounts(fields: Fields, key: string, types: ReadonlySet<string>): void {
  const value = fields.item[key]
  if (!isItem(value)) return fields.bad(key, 'must be an object of counts by vehicle type')
  for (const [type, count] of Object.entries(value))
    if (!types.has(type) || typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0)
      return fields.bad(key, 'must hold whole numbers by vehicle type')
}

export function readStopStatus(fields: Fields): void {
  const status = fields.within('status')
  if (status) for (const key of ['is_installed', 'is_renting', 'is_returning']) status.trueOrFalse(key)
}

/** The mutable fields of a stop that are present. */
function readMutable(fields: Fields): void {
  if (fields.has('status')) readStopStatus(fields)
  for (const key of mutableCounts) if (fields.has(key)) readCounts(fields, key, vehicleTypes)
  if (
    fields.has('rental_methods') &&
    !(
      Array.isArray(fields.item['rental_methods']) &&
      fields.item['rental_methods'].every((each) => rentalMethods.has(each as string))
    )
  )
    fields.bad('rental_methods', `must be a list of ${[...rentalMethods].join(', ')}`)
  fields.uuidsIfAny('devices')
}

/** The fields of a stop in both versions, except its place and counts. */
export function readStopTexts(fields: Fields): void {
  fields.providerIfAny()
  for (const key of ['geography_id', 'parent_stop', 'data_provider_id']) fields.uuidIfAny(key)
  for (const key of ['region_id', 'short_name', 'address', 'post_code', 'cross_street']) fields.textIfAny(key)
}

export function addStop(
  fields: Fields,
  into: FeedRecords,
  {
    stopId,
    name,
    lastUpdated,
    lon,
    lat,
  }: { stopId: string; name: string; lastUpdated: number } & Pick<Position, 'lon' | 'lat'>,
): void {
  const attributes = attributesOf(fields, fields.item)
  if (fields.reading.faults.length) return
  into.stops.push({
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
export function readStop(fields: Fields, into: FeedRecords): void {
  const stopId = fields.uuid('stop_id')
  const name = fields.text('name')
  const lastUpdated = fields.time('last_updated')
  const { lon, lat } = readGps(fields.within('location'))
  fields.needs('status')
  for (const key of counts) fields.needs(key)
  if (fields.has('capacity')) readCounts(fields, 'capacity', vehicleTypes)
  readMutable(fields)
  readStopTexts(fields)
  addStop(fields, into, { stopId, name, lastUpdated, lon, lat })
}

/** Reads a change of a Stop of MDS 2.0 as a stop without a place, with the changes in its attributes. */
export function readStopChange(fields: Fields, into: FeedRecords): void {
  const stopId = fields.uuid('stop_id')
  const lastUpdated = fields.time('last_updated')
  readMutable(fields)
  addStop(fields, into, { stopId, name: '', lastUpdated, lon: Number.NaN, lat: Number.NaN })
}
