// Compares all maps by shape, hour and day with the reference implementation, for random facts and filters.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { notInShape } from '#contract/evaluation.ts'
import { dayFromNumber, dayMs, hourMs, minuteMs } from '#contract/period.ts'
import type { Position } from '#contract/place.ts'
import { aggregations } from '#contract/map-names.ts'
import { SpatialRequest, type SpatialMode, type TimeBucket } from '#contract/spatial.ts'
import { vehicleStateNames } from '#contract/vehicle-states.ts'
import { toCsvByDay, toSpatialByTime, toSpatialResult } from '#server/evaluation/results.ts'
import { CubedRows } from '#server/evaluation/cubed-rows.ts'
import { Evaluator } from '#server/evaluation/evaluate.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import { buildIndexes } from '#server/geography/membership/build-index.ts'
import type { NumberedShape } from '#server/geography/membership/edge.ts'
import { storeIndexes } from '#server/geography/membership/store-index.ts'
import { regionScope } from '#server/identity/scope.ts'
import { importedTripColumns } from '#server/fleet/trip-columns.ts'
import { ReadyLayers } from '#server/fleet/cubes/ready-layer.ts'
import { RouteIntersections } from '#server/routes/intersections/route-intersections.ts'
import type { Facts } from '#server/stores/facts.ts'
import {
  type PlainDropOff,
  type PlainFacts,
  plainMaps,
  type PlainParking,
  type PlainInterval,
} from '../city/plain-maps.ts'
import { fakeState } from './fake-state.ts'
import { anyTrip, encodeTrips } from './random-trips.ts'
import { useFacts } from './use-stores.ts'
import { testUuid } from '../uuid.ts'

const layerId = randomUUID()
const formatTime = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').slice(0, 23)

/** Time zones with the day before a clock change: by an hour in both directions, by half an hour, and none. */
const anyScene = fc.constantFrom(
  { timezone: 'America/New_York', first: Date.UTC(2026, 2, 6) },
  { timezone: 'America/New_York', first: Date.UTC(2025, 9, 31) },
  { timezone: 'Australia/Lord_Howe', first: Date.UTC(2026, 3, 3) },
  // Zones in aggregationIndex midnight is skipped, and in aggregationIndex the hour before it is repeated.
  { timezone: 'America/Santiago', first: Date.UTC(2026, 8, 4) },
  { timezone: 'America/Santiago', first: Date.UTC(2026, 3, 3) },
  { timezone: 'Asia/Kolkata', first: Date.UTC(2026, 1, 26) },
)

// Also on corners and borders, and sometimes unknown.
const anyCoordinate = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -1100, max: 1100 }).map((n) => n / 1000) },
  { weight: 2, arbitrary: fc.constantFrom(-1, -0.5, 0, 0.5, 1) },
  { weight: 1, arbitrary: fc.constant(NaN) },
)
const placed = {
  operator: fc.constantFrom('lark', 'heron', 'o-dd_1'),
  type: fc.constantFrom('bicycle', 'scooter_standing', 'other'),
  lon: anyCoordinate,
  lat: anyCoordinate,
}
// From the day before the scene on: some in the same hour, some days apart, most not at full minutes.
const anyTime = fc.integer({ min: -36 * 60, max: 6 * 24 * 60 }).map((n) => n * minuteMs + (n % 11) * 1003)
const anyLengthMs = fc.oneof(
  fc.integer({ min: 1, max: 90 * minuteMs }),
  fc.integer({ min: 1, max: 60 * hourMs }),
  fc.integer({ min: 8 * 24 * hourMs, max: 12 * 24 * hourMs }),
)

const anyFacts = fc.record({
  trips: fc.array(anyTrip, { maxLength: 25 }),
  parkingEvents: fc.array(fc.record({ ...placed, from: anyTime, lengthMs: anyLengthMs }), { maxLength: 25 }),
  intervals: fc.array(
    fc.record({
      ...placed,
      from: anyTime,
      lengthMs: anyLengthMs,
      state: fc.oneof(fc.constantFrom('available', 'non_operational'), fc.constantFrom(...vehicleStateNames)),
    }),
    { maxLength: 25 },
  ),
  dropOffs: fc.array(fc.record({ ...placed, at: anyTime }), { maxLength: 25 }),
})

const anyCorner = fc
  .tuple(anyCoordinate, anyCoordinate)
  .filter(([x, y]) => !Number.isNaN(x + y))
  .map(([x, y]): Position => [x, y])
const anyRing = fc
  .array(anyCorner, { minLength: 3, maxLength: 6 })
  .map((corners) => [...corners, corners[0] as Position])
/** Shapes that cross, overlap and have holes (by the even-odd rule, a ring inside another one is a hole). */
const anyShapes = fc
  .array(fc.array(anyRing, { minLength: 1, maxLength: 2 }), { minLength: 0, maxLength: 6 })
  .map((all): NumberedShape[] => all.map((rings, index) => ({ number: index + 1, rings })))

const anyQuestion = fc.record({
  mode: fc.constantFrom<SpatialMode[]>('trips', 'parking', 'distribution', 'drop_offs'),
  aggregationIndex: fc.nat({ max: 99 }),
  days: fc
    .tuple(fc.integer({ min: -1, max: 5 }), fc.integer({ min: -1, max: 5 }))
    .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]),
  operators: fc.oneof(fc.constant<string[]>([]), fc.subarray(['lark', 'heron', 'nobody'])),
  vehicle_type: fc.constantFrom(null, null, 'bicycle' as const, 'other' as const),
  weekdays: fc.oneof(fc.constant<number[]>([]), fc.subarray([1, 2, 3, 4, 5, 6, 7])),
  hour_filters: fc.oneof(fc.constant<[number, number]>([0, 23]), fc.tuple(fc.nat(23), fc.nat(23))),
  parked_duration: fc.constantFrom(0, 0, 30, 1440, 20_000),
  select: fc.option(fc.nat({ max: 5 }), { freq: 4 }),
  bucket: fc.constantFrom<(TimeBucket | null)[]>(null, 'hour_of_day', 'day'),
  /** Minutes from the start of the scene to the request. */
  minutesLater: fc.oneof(fc.integer({ min: 0, max: 7 * 24 * 60 }), fc.constant(400 * 24 * 60)),
})

const toApproximate = (value: number | null): unknown => (value === null ? null : expect.closeTo(value, 6))

/** The result of the server, and that of a plain count. */
type Pair = [found: unknown, expected: unknown]

describe('maps by shape', () => {
  let facts: Facts
  useFacts((opened) => void (facts = opened))

  /** Stores facts of a region. Returns its Scope. */
  async function store(regionId: string, { trips, parkingEvents, intervals, dropOffs }: PlainFacts) {
    const scope = regionScope(randomUUID(), regionId)
    const insert = async (
      table: Parameters<Facts['insert']>[1],
      columns: readonly string[],
      lines: readonly string[],
    ): Promise<void> => {
      if (lines.length)
        await facts.insert(scope, table, {
          columns,
          regionId,
          lines: Buffer.from(lines.map((line) => `${line}\n`).join('')),
        })
    }
    if (trips.length)
      await facts.insert(scope, 'trips', {
        columns: importedTripColumns,
        regionId,
        lines: encodeTrips(trips, regionId),
      })
    const spanColumns =
      'region_id, operator, device_id, from_time, event_id, to_time, vehicle_type, lon, lat, version'.split(
        ', ',
      )
    const toSpanRow = (
      { operator, type, lon, lat, from, to }: PlainFacts['parkingEvents'][number],
      index: number,
    ): unknown[] => {
      const id = testUuid(index)
      return [regionId, operator, id, formatTime(from), id, formatTime(to), type, lon, lat, 1]
    }
    await insert(
      'parking_events',
      spanColumns,
      parkingEvents.map((parking, index) => toSpanRow(parking, index).join('\t')),
    )
    await insert(
      'vehicle_intervals',
      [...spanColumns, 'state'],
      intervals.map((interval, index) => [...toSpanRow(interval, index), interval.state].join('\t')),
    )
    await insert(
      'vehicles',
      ['region_id', 'operator', 'device_id', 'vehicle_type', 'version'],
      dropOffs.flatMap(({ operator, type }, index) =>
        type === 'other' ? [] : [[regionId, operator, testUuid(index), type, 1].join('\t')],
      ),
    )
    const types = ["['provider_drop_off']", "['agency_drop_off','located']"]
    await insert(
      'vehicle_events',
      'region_id, operator, device_id, event_time, event_id, event_types, lon, lat, superseded, version'.split(
        ', ',
      ),
      dropOffs.flatMap(({ operator, lon, lat, at: eventTime }, index) => {
        const device = [regionId, operator, testUuid(index), formatTime(eventTime)]
        return [
          [...device, testUuid(index), types[index % 2], lon, lat, 0, 1],
          // Neither of these is a drop-off: one is superseded, the other is of another type.
          [...device, testUuid(index + 500), types[index % 2], lon, lat, 1, 1],
          [...device, testUuid(index + 900), "['trip_end']", lon, lat, 0, 1],
        ].map((row) => row.join('\t'))
      }),
    )
    return scope
  }

  /** Opens the maps of a region with one layer of shapes. */
  async function openEvaluator(
    regionId: string,
    timezone: string,
    shapes: readonly NumberedShape[],
    shapeIds: string[],
  ): Promise<Evaluator> {
    const { state } = fakeState({
      layer: [
        {
          layer_id: layerId,
          region_id: regionId,
          content_hash: randomUUID(),
          modified_time: new Date(0),
          shape_count: shapes.length,
          buffers: [],
          hourly_processing: [],
          parking_duration_filters: [],
        },
      ],
      region: [{ region_id: regionId, timezone, lost_after_hours: 48 }],
    })
    const indexes = await storeIndexes(facts, randomUUID(), buildIndexes(shapes, 64))
    const membership = {
      forLayer: () => Promise.resolve({ indexes, shapeIds }),
    } as unknown as LayerMembership
    return new Evaluator({
      state,
      facts,
      membership,
      intersections: new RouteIntersections(state, facts),
      cubes: new CubedRows(state, facts, new ReadyLayers(state, membership)),
    })
  }

  it('equal a plain count for any question', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyScene,
        anyFacts,
        anyShapes,
        fc.array(anyQuestion, { minLength: 5, maxLength: 5 }),
        async ({ timezone, first }, records, shapes, questions) => {
          const addTimes = <T extends { from: number; lengthMs: number }>(span: T): T & { to: number } => ({
            ...span,
            from: first + span.from,
            to: first + span.from + span.lengthMs,
          })
          const scene: PlainFacts = {
            trips: records.trips.map((trip) => ({
              ...trip,
              day: Math.floor(first / dayMs) + (trip.day % 7) - 1,
            })),
            parkingEvents: records.parkingEvents.map((parking): PlainParking => addTimes(parking)),
            intervals: records.intervals.map((interval): PlainInterval => addTimes(interval)),
            dropOffs: records.dropOffs.map((event): PlainDropOff => ({ ...event, at: first + event.at })),
          }
          const regionId = `r-${randomUUID().slice(0, 8)}`
          const scope = await store(regionId, scene)
          const shapeIds = shapes.map(() => randomUUID())
          const evaluator = await openEvaluator(regionId, timezone, shapes, shapeIds)
          for (const {
            mode,
            aggregationIndex,
            days,
            weekdays,
            select,
            bucket,
            minutesLater,
            ...filters
          } of questions) {
            const offeredAggregations = aggregations[mode].filter((name) => name !== 'intersect')
            const selected = select !== null && select < shapes.length ? select + 1 : null
            const request = SpatialRequest.parse({
              ...filters,
              mode,
              aggregation: offeredAggregations[aggregationIndex % offeredAggregations.length],
              days: weekdays,
              shape_layer_uuid: layerId,
              shape_filter: selected === null ? null : shapeIds[selected - 1],
              start_date: dayFromNumber(Math.floor(first / dayMs) + days[0]),
              end_date: dayFromNumber(Math.floor(first / dayMs) + days[1]),
            })
            const now = first + minutesLater * minuteMs
            const requester = { scope, at: new Date(now + 31_000), signal: new AbortController().signal }
            const plain = plainMaps(shapes, scene, {
              request,
              bucket,
              selected,
              timezone,
              lostAfterHours: 48,
              now,
            })
            const names = [notInShape, ...shapeIds]
            const rows = await evaluator.evaluate(requester, { regionId, request, bucket })
            const getValue = (at: string, shape: number | 'all'): unknown =>
              toApproximate(plain.get(`${at} ${shape}`)?.value ?? null)
            const compareShapes = (): Pair[] => {
              const result = toSpatialResult(rows, 1)
              const expected = Object.fromEntries(
                names.map((name, shape) => [
                  name,
                  { value: getValue('', shape), n: toApproximate(plain.get(` ${shape}`)?.n ?? 0) },
                ]),
              )
              const figures = Object.fromEntries(
                Object.entries(result.shape_data).map(([id, { value, n }]) => [id, { value, n }]),
              )
              return [
                [
                  { figures, total: result.total },
                  { figures: expected, total: getValue('', 'all') },
                ],
              ]
            }
            const compareTimes = async (by: TimeBucket): Promise<Pair[]> => {
              const result = await toSpatialByTime(rows, by, 1)
              const { values, not_in_shape, total } = result
              const expected = {
                values: result.buckets.map((at) => shapeIds.map((_, shape) => getValue(at, shape + 1))),
                not_in_shape: result.buckets.map((at) => getValue(at, 0)),
                total: result.buckets.map((at) => getValue(at, 'all')),
              }
              const lines =
                by === 'day'
                  ? [...toCsvByDay(rows, new Map())]
                      .join('')
                      .trimEnd()
                      .split('\n')
                      .slice(1)
                      .map((line) => line.split(','))
                  : []
              const valuesOfFile = new Map(
                lines.map(([day = '', id = '', , value = '']) => [
                  `${day} ${id}`,
                  value === '' ? null : Number(value),
                ]),
              )
              const valuesOfResponse = result.buckets
                .flatMap((day, index) => [
                  ...result.shape_uuids.map((id, shape): [string, number | null] => [
                    `${day} ${id}`,
                    values[index]?.[shape] ?? null,
                  ]),
                  [`${day} ${notInShape}`, not_in_shape[index] ?? null] as [string, number | null],
                ])
                .filter(([key]) => by === 'day' && plain.has(`${key.slice(0, 10)} 0`))
              return [
                [{ values, not_in_shape, total }, expected],
                [valuesOfFile, new Map(valuesOfResponse)],
              ]
            }
            const pairs = bucket === null ? compareShapes() : await compareTimes(bucket)
            expect({ request, bucket, found: pairs.map(([found]) => found) }).toEqual({
              request,
              bucket,
              found: pairs.map(([, expected]) => expected),
            })
          }
        },
      ),
      {
        numRuns: Number(process.env['MAP_RUNS'] ?? 2),
        endOnFailure: true,
        seed: Number(process.env['FLEET_SEED'] ?? 4870),
      },
    )
  }, 300_000)
})
