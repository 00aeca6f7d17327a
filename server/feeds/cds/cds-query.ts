import type { Geometry } from '#contract/place.ts'
import { measureDistanceToGeometry } from '#server/geography/geometry/distance.ts'
import { AgencyError } from '../agency/agency-error.ts'
import type { CdsCall } from './serve-cds.ts'

type Query = CdsCall['query']
/** The distance of a geometry in meters (0 in a box); null if it does not match. */
type PlaceFilter = (geometry: Geometry) => number | null

/** Reads a numeric query parameter; undefined if it is missing. @throws AgencyError 400 if it is invalid. */
export function readNumber(query: Query, name: string): number | undefined {
  const text = query[name]
  if (text === undefined || text === '') return undefined
  const value = Number(text)
  if (!Number.isFinite(value)) throw new AgencyError(400, 'bad_param', `${name} must be a number.`, [name])
  return value
}

/** Reads the numbers of a query by name, and whether any of them is given. */
function readNumbers(
  query: Query,
  names: readonly string[],
): { values: (number | undefined)[]; isGiven: boolean } {
  const values = names.map((name) => readNumber(query, name))
  return { values, isGiven: values.some((value) => value !== undefined) }
}

/** Returns the filter of a query by box or by radius (centimeters); null if it has none. */
function createPlaceFilter(query: Query): PlaceFilter | null {
  const box = readNumbers(query, ['min_lat', 'min_lng', 'max_lat', 'max_lng'])
  const circle = readNumbers(query, ['lat', 'lng', 'radius'])
  if (box.isGiven && circle.isGiven)
    throw new AgencyError(400, 'bad_param', 'Use a box or a radius, not both.', ['radius'])
  if (box.isGiven) return createBoxFilter(box.values)
  return circle.isGiven ? createCircleFilter(circle.values) : null
}

/** Matches geometries with a corner in the box. */
function createBoxFilter([minLat, minLng, maxLat, maxLng]: readonly (number | undefined)[]): PlaceFilter {
  if (minLat === undefined || minLng === undefined || maxLat === undefined || maxLng === undefined)
    throw new AgencyError(400, 'bad_param', 'A box needs min_lat, min_lng, max_lat and max_lng.', ['min_lat'])
  const isInBox = (lng: number, lat: number): boolean =>
    lng >= minLng && lng <= maxLng && lat >= minLat && lat <= maxLat
  return (geometry) => {
    // All coordinates in one list: longitude, latitude, longitude, latitude …
    const coordinates = geometry.coordinates.flat(geometry.type === 'Point' ? 0 : 3) as number[]
    const isCornerInBox = (lng: number, index: number): boolean =>
      index % 2 === 0 && isInBox(lng, coordinates[index + 1]!)
    return coordinates.some(isCornerInBox) ? 0 : null
  }
}

/** Matches geometries within the radius (centimeters) of a point. */
function createCircleFilter([lat, lng, radius]: readonly (number | undefined)[]): PlaceFilter {
  if (lat === undefined || lng === undefined || radius === undefined)
    throw new AgencyError(400, 'bad_param', 'A radius needs lat, lng and radius (centimeters).', ['radius'])
  return (geometry) => {
    const meters = measureDistanceToGeometry([lng, lat], geometry)
    return meters <= radius / 100 ? meters : null
  }
}

/** Returns the items that match the place filter of a query, nearest first for a radius. */
export function filterByPlace<T>(items: readonly T[], getGeometry: (item: T) => Geometry, query: Query): T[] {
  const filter = createPlaceFilter(query)
  if (!filter) return [...items]
  return items
    .flatMap((item) => {
      const distance = filter(getGeometry(item))
      return distance === null ? [] : { item, distance }
    })
    .sort((a, b) => a.distance - b.distance)
    .map(({ item }) => item)
}
