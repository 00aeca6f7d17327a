// Compares trips of events and trip reports with the reference implementation, for any order and versions.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { regionScope } from '#server/identity/scope.ts'
import { deriveTrips } from '#server/fleet/events/derive-trips.ts'
import { noRecords, type TripReport, type VehicleEvent } from '#server/fleet/events/feed-records.ts'
import { storeRecords } from '#server/fleet/events/store-records.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import { type PlainTrip, plainTrips } from '../city/plain-trips.ts'
import { useFacts } from './use-stores.ts'
import { testUuid } from '../uuid.ts'
import { runOptions } from './run-options.ts'

// A clock change is in the five days from here.
const begin = Date.UTC(2026, 2, 6)
const quarterHourMs = 900_000
const place = { timezone: 'America/Los_Angeles', lon: -122.67, lat: 45.52 }

const coordinates = {
  lon: fc.constantFrom(-122.67, -122.5, NaN, 0, -121.9),
  lat: fc.constantFrom(45.52, 45.6, 46.07),
}
const anyTrip = fc.integer({ min: 1, max: 6 }).map(testUuid)
const anyTime = fc.integer({ min: 0, max: 4 * 24 * 5 }).map((n) => begin + n * quarterHourMs)
const anyEvent: fc.Arbitrary<VehicleEvent> = fc.record({
  operator: fc.constantFrom('one', 'two'),
  deviceId: fc.integer({ min: 1, max: 3 }).map(testUuid),
  eventId: fc.integer({ min: 1, max: 40 }).map((n) => testUuid(n * 7919)),
  time: anyTime,
  state: fc.constantFrom('on_trip', 'available', 'elsewhere' as const),
  types: fc.array(
    fc.constantFrom(
      'trip_start',
      'trip_end',
      'trip_cancel',
      'trip_enter_jurisdiction',
      'trip_leave_jurisdiction',
      'battery_low',
      'changed_geographies' as const,
    ),
    { minLength: 1, maxLength: 2 },
  ),
  tripIds: fc.array(anyTrip, { maxLength: 2 }),
  ...coordinates,
  accuracy: fc.constant(NaN),
  battery: fc.constant(50),
  published: fc.constantFrom(0, 0, begin, begin + 1),
})
const anyReport: fc.Arbitrary<TripReport> = fc.record({
  operator: fc.constantFrom('one', 'two'),
  tripId: anyTrip,
  deviceId: fc.integer({ min: 1, max: 3 }).map(testUuid),
  startTime: anyTime,
  endTime: anyTime,
  startLon: coordinates.lon,
  startLat: coordinates.lat,
  endLon: coordinates.lon,
  endLat: coordinates.lat,
  distance: fc.constantFrom(0, 1200.5, 400_000, -3, NaN),
  duration: fc.constantFrom(0, 600, 3, NaN),
  published: fc.constantFrom(0, begin, begin + 1),
  attributes: fc.constantFrom('', '{"trip_type":"rider"}'),
})

type Batch = { events: VehicleEvent[]; trips: TripReport[] }
const anyBatches: fc.Arbitrary<Batch[]> = fc.array(
  fc.record({ events: fc.array(anyEvent, { maxLength: 20 }), trips: fc.array(anyReport, { maxLength: 6 }) }),
  { minLength: 1, maxLength: 4 },
)

/** Returns the trips as sorted texts of all their fields. */
const toSortedLines = (trips: readonly PlainTrip[]): string[] =>
  trips.map((trip) => JSON.stringify(Object.entries(trip).toSorted())).toSorted()

describe('trips of feeds', () => {
  let facts: Facts
  let version = 0n
  useFacts((opened) => void (facts = opened))

  it('equal the plain reference for events in any order, repeated, in several versions and batches', async () => {
    await fc.assert(
      fc.asyncProperty(anyBatches, fc.boolean(), async (batches, repeatsInReverse) => {
        const regionId = `r-${randomUUID().slice(0, 8)}`
        const scope = regionScope(randomUUID(), regionId)
        let runIds: string[] = []
        const storedBatches = repeatsInReverse ? [...batches, ...batches.toReversed()] : batches
        for (const [index, records] of storedBatches.entries()) {
          const { runId } = await storeRecords(
            facts,
            scope,
            {
              organizationId: '',
              regionId,
              operator: 'one',
              feedId: 'f',
              stream: 's',
              windowStart: begin,
              received: begin,
              records: { ...noRecords(), ...records },
            },
            { newVehicles: { vehicles: [], retyped: [] } },
          )
          if (runId) runIds.push(runId)
          // Trips are derived after every second batch, and after the last one.
          if (index % 2 === 0 && index < storedBatches.length - 1) continue
          await deriveTrips(facts, scope, { regionId, runIds, version: ++version, lostAfterHours: 48 }, place)
          runIds = []
        }
        const rows = await facts.rows<Record<string, string | number | null>>(
          scope,
          sql`
          select
            operator,
            toString(trip_id) as tripId,
            vehicle_id as device,
            toString(toUnixTimestamp64Milli(start_time)) as start,
            toString(toUnixTimestamp64Milli(end_time)) as end,
            start_lon, start_lat, end_lon, end_lat, distance_m, duration_s,
            toString(local_date) as day, local_hour, quality, source
          from ${latest('trips')} where region_id = ${bind('String', regionId)}`,
        )
        const toNumber = (value: string | number | null | undefined): number | null =>
          value === null || value === undefined || Number.isNaN(Number(value)) ? null : Number(value)
        const trips: PlainTrip[] = rows.map((row) => ({
          operator: String(row['operator']),
          tripId: String(row['tripId']),
          device: String(row['device']),
          start: Number(row['start']),
          end: toNumber(row['end']),
          places: ['start_lon', 'start_lat', 'end_lon', 'end_lat'].map((column) => toNumber(row[column])),
          distance: toNumber(row['distance_m']),
          duration: toNumber(row['duration_s']),
          day: String(row['day']),
          hour: Number(row['local_hour']),
          quality: Number(row['quality']),
          source: String(row['source']),
        }))
        const events = batches.flatMap((batch) => batch.events)
        const reports = batches.flatMap((batch) => batch.trips)
        expect(toSortedLines(trips)).toEqual(toSortedLines(plainTrips(events, reports, place)))
      }),
      runOptions('FLEET', { runs: 4, seed: 4870 }),
    )
  })
})
