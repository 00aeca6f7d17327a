import { isItem } from '../mds/fields.ts'
import { mds1VehicleTypes, withoutEmpty } from './vehicle-response.ts'

type Fields = Record<string, unknown>

const countFields = [
  'capacity',
  'num_vehicles_available',
  'num_vehicles_disabled',
  'num_places_available',
  'num_places_disabled',
]
const mds1TypeNames: ReadonlyMap<string, string> = new Map(Object.entries(mds1VehicleTypes))
/** MDS 1.2 does not distinguish scooters with and without a seat; most have none. */
const mds2TypeNames: ReadonlyMap<string, string> = new Map([['scooter', 'scooter_standing']])

/**
 * Renames the vehicle types of counts and sums types that get the same name. Invalid values are returned
 * unchanged; the reader of the record reports them.
 */
function renameTypes(value: unknown, typeNames: ReadonlyMap<string, string>): unknown {
  if (!isItem(value) || !Object.values(value).every((count) => typeof count === 'number')) return value
  const sums = new Map<string, number>()
  for (const [type, count] of Object.entries(value)) {
    const newType = typeNames.get(type) ?? type
    sums.set(newType, (sums.get(newType) ?? 0) + Number(count))
  }
  return Object.fromEntries(sums)
}

const renameCountTypes = (fields: Fields, typeNames: ReadonlyMap<string, string>): Fields => ({
  ...fields,
  ...Object.fromEntries(
    countFields
      .filter((key) => fields[key] !== undefined)
      .map((key) => [key, renameTypes(fields[key], typeNames)]),
  ),
})

/** Returns the object in a field; an empty one if there is none. */
const getObject = (fields: unknown, key: string): Fields =>
  isItem(fields) && isItem(fields[key]) ? fields[key] : {}

/** Whether a stop is in the form of MDS 1.2, in which the location is a GeoJSON feature. */
export const isMds1Stop = (stop: Fields): boolean => getObject(stop, 'location')['lat'] === undefined

/** Converts a change of a stop from MDS 1.2 to 2.0. */
export function toMds2StopChange({ num_spots_disabled: spots, ...change }: Fields): Fields {
  return renameCountTypes(
    { ...change, ...(spots === undefined ? {} : { num_places_disabled: spots }) },
    mds2TypeNames,
  )
}

/** Converts a stop of either version to MDS 2.0. */
export function toMds2Stop(stop: Fields): Fields {
  if (!isMds1Stop(stop)) return stop
  const { last_reported: time, location, ...otherFields } = stop
  const { altitude, heading, speed, accuracy, satellites } = getObject(location, 'properties')
  const coordinates = getObject(location, 'geometry')['coordinates']
  const [lng, lat]: unknown[] = Array.isArray(coordinates) ? coordinates : []
  return {
    ...toMds2StopChange(otherFields),
    last_updated: time,
    location: withoutEmpty({ lat, lng, altitude, heading, speed, horizontal_accuracy: accuracy, satellites }),
  }
}

/** Converts a stop of either version to MDS 1.2. */
export function toMds1Stop(stop: Fields): Fields {
  if (isMds1Stop(stop)) return stop
  const { last_updated: time, location, ...otherFields } = stop
  const {
    lat,
    lng,
    altitude,
    heading,
    speed,
    horizontal_accuracy: accuracy,
    satellites,
  } = getObject({ location }, 'location')
  return {
    ...renameCountTypes(otherFields, mds1TypeNames),
    last_reported: time,
    location: {
      type: 'Feature',
      properties: { timestamp: time, ...withoutEmpty({ altitude, heading, speed, accuracy, satellites }) },
      geometry: { type: 'Point', coordinates: [lng, lat] },
    },
  }
}
