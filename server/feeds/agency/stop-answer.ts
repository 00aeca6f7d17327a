import { isItem } from '../mds/fields.ts'
import { mds1VehicleTypes, withoutEmpty } from './vehicle-answer.ts'

type Fields = Record<string, unknown>

const counts = [
  'capacity',
  'num_vehicles_available',
  'num_vehicles_disabled',
  'num_places_available',
  'num_places_disabled',
]
const toMds1Types: ReadonlyMap<string, string> = new Map(Object.entries(mds1VehicleTypes))
/** 1.2 does not say whether a scooter has a seat; most have none. */
const toMds2Types: ReadonlyMap<string, string> = new Map([['scooter', 'scooter_standing']])

/** Converts counts by vehicle type to other type names and adds up types that become one. Invalid values are left for the reader to report. */
function recounted(value: unknown, words: ReadonlyMap<string, string>): unknown {
  if (!isItem(value) || !Object.values(value).every((count) => typeof count === 'number')) return value
  const sums = new Map<string, number>()
  for (const [type, count] of Object.entries(value))
    sums.set(words.get(type) ?? type, (sums.get(words.get(type) ?? type) ?? 0) + Number(count))
  return Object.fromEntries(sums)
}

const withCounts = (fields: Fields, words: ReadonlyMap<string, string>): Fields => ({
  ...fields,
  ...Object.fromEntries(
    counts.filter((key) => fields[key] !== undefined).map((key) => [key, recounted(fields[key], words)]),
  ),
})

const within = (fields: unknown, key: string): Fields =>
  isItem(fields) && isItem(fields[key]) ? fields[key] : {}

/** Whether a stop is in the form of MDS 1.2, with a feature as its location. */
export const isMds1Stop = (stop: Fields): boolean => within(stop, 'location')['lat'] === undefined

/** A change of a stop in MDS 1.2, converted to 2.0. */
export function mds2StopChange({ num_spots_disabled: spots, ...change }: Fields): Fields {
  return withCounts(
    { ...change, ...(spots === undefined ? {} : { num_places_disabled: spots }) },
    toMds2Types,
  )
}

/** A stop in MDS 2.0, whichever version registered it. */
export function stopAnswer(stop: Fields): Fields {
  if (!isMds1Stop(stop)) return stop
  const { last_reported: time, location, ...others } = stop
  const { altitude, heading, speed, accuracy, satellites } = within(location, 'properties')
  const coordinates = within(location, 'geometry')['coordinates']
  const [lng, lat]: unknown[] = Array.isArray(coordinates) ? coordinates : []
  return {
    ...mds2StopChange(others),
    last_updated: time,
    location: withoutEmpty({ lat, lng, altitude, heading, speed, horizontal_accuracy: accuracy, satellites }),
  }
}

/** A stop in MDS 1.2. */
export function mds1StopAnswer(stop: Fields): Fields {
  if (isMds1Stop(stop)) return stop
  const { last_updated: time, location, ...rest } = stop
  const {
    lat,
    lng,
    altitude,
    heading,
    speed,
    horizontal_accuracy: accuracy,
    satellites,
  } = within({ location }, 'location')
  return {
    ...withCounts(rest, toMds1Types),
    last_reported: time,
    location: {
      type: 'Feature',
      properties: { timestamp: time, ...withoutEmpty({ altitude, heading, speed, accuracy, satellites }) },
      geometry: { type: 'Point', coordinates: [lng, lat] },
    },
  }
}
