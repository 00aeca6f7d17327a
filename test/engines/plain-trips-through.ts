// Reference implementation of trips through shapes, by JSTS for routes and by a point test for both ends.
import RelateOp from 'jsts/org/locationtech/jts/operation/relate/RelateOp.js'
import { dayFromNumber, getWeekday } from '#contract/period.ts'
import { type Area, getPolygons, type Position } from '#contract/place.ts'
import type { SpatialRequest, TimeBucket } from '#contract/spatial.ts'
import { contains } from '../city/contains.ts'
import { toJts } from '#server/geography/geometry/repair/jts.ts'
import type { TripRow } from '#server/imports/trips/trip-row.ts'
import { plainHours } from '../city/plain-count.ts'

/** A trip with its route, if known. */
export interface PlainTrip extends TripRow {
  route: readonly Position[] | null
}

function intersects(area: Area, route: readonly Position[]): boolean {
  const isPoint = route.every(([x, y]) => x === route[0]?.[0] && y === route[0]?.[1])
  return RelateOp.intersects(
    toJts.multiPolygon(getPolygons(area)),
    isPoint ? toJts.factory.createPoint(toJts.coordinates(route)[0]!) : toJts.line(route),
  )
}

/** Whether a point is in the area; false if a coordinate is unknown (NaN). */
const isIn = (area: Area, lon: number, lat: number): boolean =>
  !Number.isNaN(lon + lat) && contains(getPolygons(area).flat(), [lon, lat])

/** Returns the numbers of the shapes that a trip intersects. */
export const findShapesOfTrip = (
  areas: readonly Area[],
  { route, startLon, startLat, endLon, endLat }: PlainTrip,
): number[] =>
  areas.flatMap((area, index) =>
    (route ? intersects(area, route) : isIn(area, startLon, startLat) || isIn(area, endLon, endLat))
      ? [index + 1]
      : [],
  )

/**
 * Counts the trips of a request, and those with a route, by `<bucket> <shape>`.
 *
 * The bucket is a day, an hour, or empty. The shape is a number from 1, 0 for trips in no shape, or `all`.
 */
export function plainTripsThrough(
  areas: readonly Area[],
  trips: readonly PlainTrip[],
  request: SpatialRequest,
  { bucket, selected }: { bucket: TimeBucket | null; selected: number | null },
): Map<string, [trips: number, withRoute: number]> {
  const counts = new Map<string, [number, number]>()
  const [first, last] = [request.start_date, request.end_date].toSorted() as [string, string]
  for (const trip of trips) {
    const day = dayFromNumber(trip.day)
    if (
      day < first ||
      day > last ||
      (request.operators.length && !request.operators.includes(trip.operator)) ||
      (request.vehicle_type && request.vehicle_type !== trip.vehicleType) ||
      (!request.vehicle_type &&
        request.vehicle_types?.length &&
        !request.vehicle_types.some((type) => type === trip.vehicleType))
    )
      continue
    if (
      (request.days.length && !request.days.includes(getWeekday(day))) ||
      !plainHours(request.hour_filters).has(trip.hour)
    )
      continue
    const shapes = findShapesOfTrip(areas, trip)
    if (selected !== null && !shapes.includes(selected)) continue
    for (const shape of [...(shapes.length ? shapes : [0]), 'all']) {
      const key = `${bucket === 'day' ? day : bucket === 'hour_of_day' ? trip.hour : ''} ${shape}`
      const [count, withRoute] = counts.get(key) ?? [0, 0]
      counts.set(key, [count + 1, withRoute + (trip.route ? 1 : 0)])
    }
  }
  return counts
}
