import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import type { Fields } from '../fields.ts'
import { addStop, readCounts, readStopStatus, readStopTexts } from '../read-stop.ts'
import { earlierVehicleTypes } from '../vehicle-words.ts'
import { readPoint } from './read-point.ts'

const counts = ['capacity', 'num_vehicles_available', 'num_vehicles_disabled'] as const
const countsIfAny = [...counts, 'num_places_available', 'num_places_disabled'] as const

/** Reads a Stop of MDS 1.2. */
export function readEarlierStop(fields: Fields, into: FeedRecords): void {
  const stopId = fields.uuid('stop_id')
  const name = fields.text('name')
  const lastUpdated = fields.time('last_reported')
  const { lon, lat } = readPoint(fields.within('location'))
  readStopStatus(fields)
  for (const key of counts) fields.needs(key)
  for (const key of countsIfAny) if (fields.has(key)) readCounts(fields, key, earlierVehicleTypes)
  fields.uuidsIfAny('devices')
  readStopTexts(fields)
  addStop(fields, into, { stopId, name, lastUpdated, lon, lat })
}

/** Reads a change of a Stop of MDS 1.2 as a stop without a place, with the changes in its attributes. */
export function readEarlierStopChange(fields: Fields, into: FeedRecords): void {
  const stopId = fields.uuid('stop_id')
  if (fields.has('status')) readStopStatus(fields)
  if (fields.has('num_spots_disabled')) readCounts(fields, 'num_spots_disabled', earlierVehicleTypes)
  addStop(fields, into, {
    stopId,
    name: '',
    lastUpdated: fields.reading.context.received,
    lon: Number.NaN,
    lat: Number.NaN,
  })
}
