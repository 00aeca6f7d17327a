// The slow and plain answer that the fact store's must agree with: every trip, every shape, one after another.
import { bitsOf, outlierFlags } from '#contract/mobility.ts'
import { dayFromNumber, weekdayOf } from '#contract/period.ts'
import { contains } from '../city/contains.ts'
import type { NumberedShape } from '#server/geography/membership/edge.ts'
import type { TripsByShapeQuery } from '#server/evaluation/queries/trips-by-shape.ts'
import { ALL_SHAPES_ID } from '#server/mobility/cubes/cube-columns.ts'
import type { TripRow } from '#server/ingest/trip-row.ts'
import { plainHours } from '../city/plain-count.ts'

/** Sums of one day (or all) and one shape. */
export interface PlainRow {
  orig: number
  dest: number
  either: number
  orig_measured: number
  dest_measured: number
  orig_meters: number
  dest_meters: number
}

type Filters = TripsByShapeQuery['filters']

function passes(
  trip: TripRow,
  { start_date, end_date, operators, vehicle_type, days, hour_filters }: Filters,
): boolean {
  const day = dayFromNumber(trip.day)
  return (
    (!start_date || day >= start_date) &&
    (!end_date || day <= end_date) &&
    (!operators.length || operators.includes(trip.operator)) &&
    (!vehicle_type || trip.vehicleType === vehicle_type) &&
    (!days.length || days.includes(weekdayOf(day))) &&
    plainHours(hour_filters).has(trip.hour)
  )
}

const shapesOf = (shapes: readonly NumberedShape[], lon: number, lat: number): number[] => {
  const found = Number.isNaN(lon + lat)
    ? []
    : shapes.filter(({ rings }) => contains(rings, [lon, lat])).map(({ number }) => number)
  return found.length ? found : [0]
}

/** Key is the day (empty where not by day), a space and the shape's number; rows of zeros are left out. */
export function plainTripsByShape(
  trips: readonly TripRow[],
  shapes: readonly NumberedShape[],
  filters: Filters,
  selected: number | null,
  byDay: boolean,
): Map<string, PlainRow> {
  const rows = new Map<string, PlainRow>()
  for (const trip of trips) {
    if (!passes(trip, filters)) continue
    const origins = shapesOf(shapes, trip.startLon, trip.startLat)
    const destinations = shapesOf(shapes, trip.endLon, trip.endLat)
    const measured = Number.isFinite(trip.distanceM) && !(trip.quality & bitsOf(outlierFlags)) ? 1 : 0
    const meters = measured ? trip.distanceM : 0
    for (const shape of new Set([...origins, ...destinations, ALL_SHAPES_ID])) {
      const isOrigin =
        (shape === ALL_SHAPES_ID || origins.includes(shape)) &&
        (selected === null || destinations.includes(selected))
      const isDestination =
        (shape === ALL_SHAPES_ID || destinations.includes(shape)) &&
        (selected === null || origins.includes(selected))
      if (!isOrigin && !isDestination) continue
      const key = `${byDay ? dayFromNumber(trip.day) : ''} ${shape}`
      const row = rows.get(key) ?? {
        orig: 0,
        dest: 0,
        either: 0,
        orig_measured: 0,
        dest_measured: 0,
        orig_meters: 0,
        dest_meters: 0,
      }
      rows.set(key, row)
      row.either++
      if (isOrigin) {
        row.orig++
        row.orig_measured += measured
        row.orig_meters += meters
      }
      if (isDestination) {
        row.dest++
        row.dest_measured += measured
        row.dest_meters += meters
      }
    }
  }
  return rows
}
