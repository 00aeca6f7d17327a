// Compares maps from hourly cubes with those from facts, for random fleets, late events and unfinished cubes.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { VehicleType } from '#contract/mobility.ts'
import { dayFromNumber, dayMs, hourMs } from '#contract/period.ts'
import type { Position } from '#contract/place.ts'
import { aggregations } from '#contract/map-names.ts'
import { SpatialRequest, type TimeBucket } from '#contract/spatial.ts'
import { toSpatialByTime, toSpatialResult } from '#server/evaluation/results.ts'
import { CubedRows } from '#server/evaluation/cubed-rows.ts'
import { Evaluator } from '#server/evaluation/evaluate.ts'
import { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import { ReadyLayers } from '#server/fleet/cubes/ready-layer.ts'
import { RouteIntersections } from '#server/routes/intersections/route-intersections.ts'
import type { TripReport, VehicleEvent } from '#server/fleet/events/feed-records.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { openCubeCity } from './cube-city.ts'
import { useStores } from './use-stores.ts'
import { testUuid } from '../uuid.ts'

// Three days before the clocks of New York go forward. Hours of Adelaide are half an hour off those of UTC.
const begin = Date.UTC(2026, 2, 5)
const makeSquare = (west: number, south: number, side: number): Position[] => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
]
// The last one overlaps the others.
const squares = [
  makeSquare(-75.02, 36.99, 0.01),
  makeSquare(-75.01, 36.99, 0.01),
  makeSquare(-75.01, 37, 0.01),
  makeSquare(-75.015, 36.993, 0.03),
]

const anyEvent: fc.Arbitrary<VehicleEvent> = fc.record({
  operator: fc.constantFrom('one', 'two'),
  deviceId: fc.integer({ min: 1, max: 5 }).map(testUuid),
  eventId: fc.integer({ min: 1, max: 90 }).map((n) => testUuid(n * 7919)),
  time: fc.integer({ min: 0, max: 60 * 24 * 5 }).map((n) => begin + n * 60_000 + (n % 7) * 1001),
  state: fc.constantFrom(
    'available',
    'available',
    'on_trip',
    'reserved',
    'non_operational',
    'non_contactable',
    'removed',
  ),
  types: fc.array(
    fc.constantFrom('provider_drop_off', 'agency_drop_off', 'trip_start', 'trip_end', 'comms_lost' as const),
    { minLength: 1, maxLength: 2 },
  ),
  tripIds: fc.constant([]),
  lon: fc.constantFrom(-75.02, -75.013, -75.005, -74.99, NaN),
  lat: fc.constantFrom(36.995, 37, 37.004),
  accuracy: fc.constant(NaN),
  battery: fc.constant(50),
  published: fc.constant(0),
})
const anyTrip: fc.Arbitrary<TripReport> = fc.record({
  operator: fc.constantFrom('one', 'two'),
  tripId: fc.integer({ min: 1, max: 60 }).map(testUuid),
  deviceId: fc.integer({ min: 1, max: 5 }).map(testUuid),
  startTime: fc.integer({ min: 0, max: 60 * 24 * 5 }).map((n) => begin + n * 60_000),
  endTime: fc.integer({ min: 0, max: 60 * 24 * 5 }).map((n) => begin + n * 60_000),
  startLon: fc.constantFrom(-75.02, -75.013, -75.005, -74.99, NaN),
  startLat: fc.constantFrom(36.995, 37, 37.004),
  endLon: fc.constantFrom(-75.02, -75.013, -75.005, -74.99, NaN),
  endLat: fc.constantFrom(36.995, 37, 37.004),
  distance: fc.constantFrom(900.25, 1234.5678, NaN),
  duration: fc.constant(600),
  published: fc.constant(0),
  attributes: fc.constant(''),
})
const anyQuestion = fc.record({
  mode: fc.constantFrom('trips', 'trips', 'parking', 'distribution', 'drop_offs' as const),
  aggregationIndex: fc.nat({ max: 9 }),
  bucket: fc.constantFrom<(TimeBucket | null)[]>(null, null, 'day', 'day', 'hour_of_day'),
  days: fc
    .tuple(fc.integer({ min: -1, max: 6 }), fc.integer({ min: -1, max: 6 }))
    .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]),
  weekdays: fc.oneof(fc.constant<number[]>([]), fc.subarray([1, 4, 5, 6, 7])),
  hour_filters: fc.constantFrom<[number, number][]>([0, 23], [0, 23], [0, 23], [6, 5], [21, 3]),
  operators: fc.constantFrom<string[][]>([], [], ['one'], ['nobody']),
  vehicle_type: fc.constantFrom(null, null, 'other' as const, 'bicycle' as const),
  vehicle_types: fc.constantFrom<VehicleType[][]>([], ['bicycle', 'other'], ['moped', 'other']),
})
const toApproximate = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, field: unknown) =>
      typeof field === 'number' ? Number(field.toPrecision(9)) : field,
    ),
  )

describe('maps from cubes', () => {
  let facts: Facts
  let state: State
  useStores((...opened) => void ([facts, state] = opened))

  it('equal the facts for any question and any progress of the cubes', async () => {
    let answersFromCubes = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('America/New_York', 'Australia/Adelaide'),
        fc.array(anyEvent, { minLength: 20, maxLength: 60 }),
        fc.array(anyEvent, { maxLength: 2 }),
        fc.array(anyTrip, { minLength: 10, maxLength: 50 }),
        fc.integer({ min: 60, max: 170 }),
        fc.subarray(squares, { minLength: 1 }),
        fc.array(anyQuestion, { minLength: 14, maxLength: 14 }),
        async (timezone, events, lateEvents, trips, hours, shapes, questions) => {
          const city = await openCubeCity(state, facts, timezone, begin + hours * hourMs + 1_234_000)
          const layerId = await city.draw(1, shapes)
          await city.store({ events, trips: trips.slice(1) })
          await city.cubes.idle()
          // These records' hours are not computed before the maps are evaluated. The clock also advances.
          city.clock.now += 2.5 * hourMs
          await city.store({ events: lateEvents, trips: trips.slice(0, 1) })
          const membership = new LayerMembership(state, facts)
          const cubes = new CubedRows(state, facts, new ReadyLayers(state, membership))
          const countingCubes = {
            read: async (question: Parameters<CubedRows['read']>[0]) => {
              const rows = await cubes.read(question)
              if (rows) answersFromCubes++
              return rows
            },
          } as unknown as CubedRows
          const noCubes = { read: () => Promise.resolve(null) } as unknown as CubedRows
          const [fromCubes, fromFacts] = [countingCubes, noCubes].map(
            (cubes) =>
              new Evaluator({
                state,
                facts,
                membership,
                intersections: new RouteIntersections(state, facts),
                cubes,
              }),
          ) as [Evaluator, Evaluator]
          for (const { mode, aggregationIndex, days, weekdays, bucket, ...filters } of questions) {
            // Routes are not enabled for the layer.
            const offeredAggregations = aggregations[mode].filter((name) => name !== 'intersect')
            const request = SpatialRequest.parse({
              ...filters,
              mode,
              aggregation: offeredAggregations[aggregationIndex % offeredAggregations.length],
              days: weekdays,
              shape_layer_uuid: layerId,
              start_date: dayFromNumber(begin / dayMs + days[0]),
              end_date: dayFromNumber(begin / dayMs + days[1]),
            })
            const requester = {
              scope: city.scope,
              at: new Date(city.clock.now),
              signal: new AbortController().signal,
            }
            const [found, expected] = await Promise.all(
              [fromCubes, fromFacts].map(async (evaluator) => {
                const rows = {
                  ...(await evaluator.evaluate(requester, { regionId: city.regionId, request, bucket })),
                  from: 'facts' as const,
                }
                return toApproximate(
                  bucket === null ? toSpatialResult(rows, 1) : await toSpatialByTime(rows, bucket, 1),
                )
              }),
            )
            expect({ request, bucket, found }).toEqual({ request, bucket, found: expected })
          }
          await city.remove()
        },
      ),
      {
        numRuns: Number(process.env['CUBE_RUNS'] ?? 1),
        endOnFailure: true,
        seed: Number(process.env['FLEET_SEED'] ?? 4870),
      },
    )
    // Ensures that something was compared.
    expect(answersFromCubes).toBeGreaterThan(4)
  }, 600_000)

  it('are used for one of two maps of a question if only the other one needs facts', async () => {
    const city = await openCubeCity(state, facts, 'UTC', begin + 80 * hourMs)
    const layerId = await city.draw(1, squares.slice(0, 1))
    await city.store({
      events: [
        {
          operator: 'one',
          deviceId: testUuid(1),
          eventId: randomUUID(),
          time: begin + hourMs,
          state: 'available',
          types: ['provider_drop_off'],
          tripIds: [],
          lon: -75.015,
          lat: 36.995,
          accuracy: NaN,
          battery: 50,
          published: 0,
        },
      ],
    })
    await city.cubes.idle()
    const membership = new LayerMembership(state, facts)
    const evaluator = new Evaluator({
      state,
      facts,
      membership,
      intersections: new RouteIntersections(state, facts),
      cubes: new CubedRows(state, facts, new ReadyLayers(state, membership)),
    })
    const readTotal = async (aggregation: string): Promise<number | null> => {
      const request = SpatialRequest.parse({
        mode: 'parking',
        aggregation,
        shape_layer_uuid: layerId,
        start_date: '2026-03-05',
        end_date: '2026-03-09',
      })
      return toSpatialResult(
        await evaluator.evaluate(
          { scope: city.scope, at: new Date(begin + 80 * hourMs), signal: new AbortController().signal },
          { regionId: city.regionId, request, bucket: null },
        ),
        1,
      ).total
    }
    // The parking event ends after 48 hours without contact.
    expect([
      await readTotal('total_parking_events'),
      await readTotal('average_parked_duration'),
      await readTotal('total_parked_duration'),
    ]).toEqual([1, 48 * 60, 48 * 60])
    await city.remove()
  })
})
