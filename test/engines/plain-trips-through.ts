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

function touches(area: Area, route: readonly Position[]): boolean {
  const isPoint = route.every(([x, y]) => x === route[0]?.[0] && y === route[0]?.[1])
  return RelateOp.intersects(
    toJts.multiPolygon(getPolygons(area)),
    isPoint ? toJts.factory.createPoint(toJts.coordinates(route)[0]!) : toJts.line(route),
  )
}

const isIn = (area: Area, lon: number, lat: number): boolean =>
  !Number.isNaN(lon + lat) && contains(getPolygons(area).flat(), [lon, lat])

/** Returns the numbers of the shapes that a trip intersects. */
export const findShapesOfTrip = (
  areas: readonly Area[],
  { route, startLon, startLat, endLon, endLat }: PlainTrip,
): number[] =>
  areas.flatMap((area, index) =>
    (route ? touches(area, route) : isIn(area, startLon, startLat) || isIn(area, endLon, endLat))
      ? [index + 1]
      : [],
  )

/** Counts of trips (all, with route) by bucket ('' if none) and shape: 0 for no shape, `all` for total. */
export function plainTripsThrough(
  areas: readonly Area[],
  trips: readonly PlainTrip[],
  call: SpatialRequest,
  { bucket, selected }: { bucket: TimeBucket | null; selected: number | null },
): Map<string, [trips: number, withWay: number]> {
  const counts = new Map<string, [number, number]>()
  const [first, last] = [call.start_date, call.end_date].toSorted() as [string, string]
  for (const trip of trips) {
    const day = dayFromNumber(trip.day)
    if (
      day < first ||
      day > last ||
      (call.operators.length && !call.operators.includes(trip.operator)) ||
      (call.vehicle_type && call.vehicle_type !== trip.vehicleType) ||
      (!call.vehicle_type &&
        call.vehicle_types?.length &&
        !call.vehicle_types.some((type) => type === trip.vehicleType))
    )
      continue
    if (
      (call.days.length && !call.days.includes(getWeekday(day))) ||
      !plainHours(call.hour_filters).has(trip.hour)
    )
      continue
    const shapes = findShapesOfTrip(areas, trip)
    if (selected !== null && !shapes.includes(selected)) continue
    for (const shape of [...(shapes.length ? shapes : [0]), 'all']) {
      const key = `${bucket === 'day' ? day : bucket === 'hour_of_day' ? trip.hour : ''} ${shape}`
      const [count, withWay] = counts.get(key) ?? [0, 0]
      counts.set(key, [count + 1, withWay + (trip.route ? 1 : 0)])
    }
  }
  return counts
}
