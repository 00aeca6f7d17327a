import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import type { Fields } from '../fields.ts'
import { addStop, checkCounts, checkStopStatus, checkStopTexts } from '../read-stop.ts'
import { earlierVehicleTypes } from '../vehicle-words.ts'
import { readPoint } from './read-point.ts'

const requiredCounts = ['capacity', 'num_vehicles_available', 'num_vehicles_disabled'] as const
const optionalCounts = [...requiredCounts, 'num_places_available', 'num_places_disabled'] as const

/** Reads a Stop of MDS 1.2. */
export function readEarlierStop(fields: Fields, records: FeedRecords): void {
  const stopId = fields.uuid('stop_id')
  const name = fields.text('name')
  const lastUpdated = fields.time('last_reported')
  const { lon, lat } = readPoint(fields.object('location'))
  checkStopStatus(fields)
  for (const key of requiredCounts) fields.requires(key)
  for (const key of optionalCounts) if (fields.has(key)) checkCounts(fields, key, earlierVehicleTypes)
  fields.checkOptionalUuids('devices')
  checkStopTexts(fields)
  addStop(fields, records, { stopId, name, lastUpdated, lon, lat })
}

/** Reads a change of a Stop of MDS 1.2 as a stop without a location, with the changes in its attributes. */
export function readEarlierStopChange(fields: Fields, records: FeedRecords): void {
  const stopId = fields.uuid('stop_id')
  if (fields.has('status')) checkStopStatus(fields)
  if (fields.has('num_spots_disabled')) checkCounts(fields, 'num_spots_disabled', earlierVehicleTypes)
  addStop(fields, records, {
    stopId,
    name: '',
    lastUpdated: fields.reading.context.received,
    lon: Number.NaN,
    lat: Number.NaN,
  })
}
