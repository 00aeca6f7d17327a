// Random trips and filters. Distances are whole meters, so that sums are exact in any order.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { qualityFlagNames, qualityFlags, VehicleType } from '#contract/mobility.ts'
import { dayFromNumber, dayMs, dayNumber, hourMs } from '#contract/period.ts'
import type { TripsByShapeQuery } from '#server/fleet/trips-by-shape.ts'
import { writeTrip } from '#server/imports/trips/trip-lines.ts'
import type { TripRow } from '#server/imports/trips/trip-row.ts'
import { RowWriter } from '#server/stores/row-text.ts'

/** Day number of the first day of random trips. */
export const firstDay = dayNumber('2026-02-23')
const lastDay = dayNumber('2026-03-08')
const operators = ['lark', 'heron', 'o-dd_1']
const vehicleTypes = VehicleType.options.slice(0, 4)

/** Coordinates between -1 and 1 degree, sometimes on a border, sometimes unknown. */
const coordinate = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -1_100_000, max: 1_100_000 }).map((n) => n / 1e6) },
  { weight: 1, arbitrary: fc.constant(Number.NaN) },
)

/** A trip of ten minutes. */
export const anyTrip = fc
  .record({
    operator: fc.constantFrom(...operators),
    vehicleType: fc.constantFrom(...vehicleTypes),
    day: fc.integer({ min: firstDay, max: lastDay }),
    hour: fc.integer({ min: 0, max: 23 }),
    startLon: coordinate,
    startLat: coordinate,
    endLon: coordinate,
    endLat: coordinate,
    distanceM: fc.oneof(fc.integer({ min: 0, max: 9000 }), fc.constant(Number.NaN)),
    quality: fc.oneof(
      fc.constant(0),
      fc.constantFrom(...qualityFlagNames).map((name) => 1 << qualityFlags[name].bit),
    ),
  })
  .map((fields): TripRow => {
    const startMs = fields.day * dayMs + fields.hour * hourMs
    return {
      ...fields,
      tripId: randomUUID(),
      vehicleId: 'v',
      startMs,
      endMs: startMs + 600_000,
      durationS: 600,
    }
  })

/** Encodes rows of the table `trips`, with their position in the list as `line`. */
export function encodeTrips(trips: readonly TripRow[], regionId: string): Uint8Array {
  const rows = new RowWriter()
  const importId = randomUUID()
  for (const [line, trip] of trips.entries()) writeTrip(rows, trip, { regionId, importId, chunk: 0, line })
  return rows.take()
}

const someDay = fc.integer({ min: firstDay - 1, max: lastDay + 1 }).map(dayFromNumber)

/** Filters of trips of a region; periods and operators may contain no trip. */
export const anyFilters = (regionId: string): fc.Arbitrary<TripsByShapeQuery['filters']> =>
  fc.record({
    region_id: fc.constant(regionId),
    start_date: fc.option(someDay, { nil: undefined }),
    end_date: fc.option(someDay, { nil: undefined }),
    operators: fc.subarray([...operators, 'nobody']),
    vehicle_type: fc.option(fc.constantFrom(...vehicleTypes)),
    days: fc.subarray([1, 2, 3, 4, 5, 6, 7]),
    hour_filters: fc.oneof(fc.constant<[number, number]>([0, 23]), fc.tuple(fc.nat(23), fc.nat(23))),
  })
