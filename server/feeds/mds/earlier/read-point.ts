import { type Fields, isItem } from '../fields.ts'
import { toNanIfUnknown, type Position } from '../read-gps.ts'

/** A position with its time, ms since 1970. */
export interface TimedPosition extends Position {
  time: number
}

const isDegrees = (value: unknown, max: number): value is number =>
  typeof value === 'number' && value >= -max && value <= max

/** Reads a GeoJSON point with its time, as all locations in MDS 1.2. Its values are NaN if it is invalid. */
export function readPoint(fields: Fields | null): TimedPosition {
  const unknownPoint = {
    time: Number.NaN,
    lon: Number.NaN,
    lat: Number.NaN,
    speed: Number.NaN,
    heading: Number.NaN,
    accuracy: Number.NaN,
  }
  if (!fields) return unknownPoint
  if (fields.item['type'] !== 'Feature') fields.addError('type', 'must be Feature')
  const geometry = fields.object('geometry')
  const coordinates = geometry?.item['coordinates']
  if (geometry && geometry.item['type'] !== 'Point') geometry.addError('type', 'must be Point')
  else if (
    geometry &&
    !(Array.isArray(coordinates) && isDegrees(coordinates[0], 180) && isDegrees(coordinates[1], 90))
  )
    geometry.addError('coordinates', 'must be longitude and latitude in degrees')
  const properties = fields.object('properties')
  const time = properties?.time('timestamp') ?? Number.NaN
  if (!properties || !isItem(geometry?.item) || !Array.isArray(coordinates)) return unknownPoint
  for (const key of ['altitude', 'hdop']) properties.checkOptionalNumber(key)
  properties.checkOptionalInteger('satellites', 0, Number.MAX_SAFE_INTEGER)
  properties.checkOptionalUuid('stop_id')
  return {
    time,
    lon: coordinates[0] as number,
    lat: coordinates[1] as number,
    speed: toNanIfUnknown(properties.optionalNumber('speed')),
    heading: toNanIfUnknown(properties.optionalNumber('heading')),
    accuracy: toNanIfUnknown(properties.optionalNumber('accuracy')),
  }
}
