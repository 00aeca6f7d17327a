// Compares trips through shapes with JSTS and a plain count, for changing routes, shapes and filters.
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { notInShape } from '#contract/evaluation.ts'
import { dayFromNumber } from '#contract/period.ts'
import type { Area, Position } from '#contract/place.ts'
import { SpatialRequest, type TimeBucket } from '#contract/spatial.ts'
import { toCsvByDay, toSpatialByTime, toSpatialResult } from '#server/evaluation/results.ts'
import type { Filters } from '#server/fleet/trip-filter-sql.ts'
import type { Facts } from '#server/stores/facts.ts'
import { plainTripsThrough, type PlainTrip } from './plain-trips-through.ts'
import { anyFilters, anyTrip, firstDay } from './random-trips.ts'
import { openIntersectionCity } from './intersection-city.ts'
import { useFacts } from './use-stores.ts'
import { positions } from '../positions.ts'

const makeBox = (west: number, south: number, east: number, north: number): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]
const anyLatticeDegree = fc.integer({ min: -10, max: 10 }).map((n) => n / 10)
const anyPlace = fc
  .oneof(
    { weight: 3, arbitrary: fc.tuple(anyLatticeDegree, anyLatticeDegree) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.integer({ min: -1_100_000, max: 1_100_000 }),
          fc.integer({ min: -1_100_000, max: 1_100_000 }),
        )
        .map(([x, y]) => [x / 1e6, y / 1e6]),
    },
  )
  .map(([x, y]): Position => [x as number, y as number])
/** Routes pause, jump and run along borders. */
const anyRoute = fc
  .array(anyPlace, { minLength: 1, maxLength: 6 })
  .map((route) => (route.length === 1 ? [route[0] as Position, route[0] as Position] : route))
const corner = fc.tuple(fc.integer({ min: -10, max: 6 }), fc.integer({ min: -10, max: 6 }))
/** Boxes with and without holes, in one or two parts, and triangles. */
const anyArea: fc.Arbitrary<Area> = fc.oneof(
  corner.map(([x, y]): Area => ({
    type: 'Polygon',
    coordinates: [makeBox(x / 10, y / 10, (x + 4) / 10, (y + 3) / 10)],
  })),
  corner.map(([x, y]): Area => ({
    type: 'Polygon',
    coordinates: [
      makeBox(x / 10, y / 10, (x + 4) / 10, (y + 4) / 10),
      makeBox((x + 1) / 10, (y + 1) / 10, (x + 3) / 10, (y + 3) / 10),
    ],
  })),
  corner.map(([x, y]): Area => ({
    type: 'MultiPolygon',
    coordinates: [
      [makeBox(x / 10, y / 10, (x + 1) / 10, (y + 1) / 10)],
      [makeBox((x + 2) / 10, y / 10, (x + 4) / 10, (y + 2) / 10)],
    ],
  })),
  corner.map(([x, y]): Area => ({
    type: 'Polygon',
    coordinates: [
      [
        [x / 10, y / 10],
        [(x + 4) / 10, (y + 1) / 10],
        [(x + 1) / 10, (y + 4) / 10],
        [x / 10, y / 10],
      ],
    ],
  })),
)
const anyQuestion = fc.record({
  filters: anyFilters(''),
  select: fc.option(fc.nat({ max: 5 }), { freq: 3 }),
  bucket: fc.constantFrom<(TimeBucket | null)[]>(null, 'hour_of_day', 'day'),
  buffer: fc.constantFrom(0, 0, 4000),
})
interface Question {
  filters: Filters
  select: number | null
  bucket: TimeBucket | null
  buffer: number
}
const everything: Question = {
  filters: { region_id: '', operators: [], vehicle_type: null, days: [], hour_filters: [0, 23] },
  select: null,
  bucket: null,
  buffer: 0,
}
type Step =
  | { routes: [trip: number, route: Position[] | null][] }
  | { shapes: Area[]; keptShapes: number }
  | { restart: true }
  | { question: Question }
const anyStep = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      routes: fc.array(fc.tuple(fc.nat({ max: 39 }), fc.option(anyRoute, { freq: 4 })), {
        minLength: 1,
        maxLength: 6,
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ shapes: fc.array(anyArea, { maxLength: 3 }), keptShapes: fc.nat({ max: 5 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ restart: true as const }) },
  { weight: 5, arbitrary: fc.record({ question: anyQuestion }) },
) as fc.Arbitrary<Step>

describe('trips through shapes', () => {
  let facts: Facts
  useFacts((opened) => void (facts = opened))
  const makeRequester = (city: Awaited<ReturnType<typeof openIntersectionCity>>) => ({
    scope: city.scope,
    at: new Date(0),
    signal: new AbortController().signal,
  })
  const makeQuestion = (layerId: string, overrides: object = {}) =>
    SpatialRequest.parse({
      mode: 'trips',
      aggregation: 'intersect',
      shape_layer_uuid: layerId,
      start_date: dayFromNumber(firstDay - 1),
      end_date: dayFromNumber(firstDay + 20),
      ...overrides,
    })

  it('equal those that JSTS finds, after any changes and for any question', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(anyTrip, fc.option(anyRoute, { freq: 4 })), { minLength: 40, maxLength: 40 }),
        fc.array(anyArea, { minLength: 1, maxLength: 4 }),
        fc.array(anyStep, { minLength: 4, maxLength: 12 }),
        async (initialTrips, initialAreas, steps) => {
          const trips: PlainTrip[] = initialTrips.map(([trip, route]) => ({ ...trip, route }))
          const city = await openIntersectionCity(facts, trips)
          let areas = initialAreas
          city.draw(areas)
          let evaluator = city.createEvaluator()
          /** Returns the result of a question, and the expected one. */
          const evaluate = async ({
            filters,
            select,
            bucket,
            buffer,
          }: Question): Promise<[found: unknown, expected: unknown]> => {
            const selected = select !== null && select < areas.length ? select + 1 : null
            const {
              region_id: _none,
              start_date: from = dayFromNumber(firstDay - 2),
              end_date: to = dayFromNumber(firstDay + 15),
              ...rest
            } = filters
            // Calls with reversed days are refused before maps are evaluated.
            const [start_date, end_date] = from <= to ? [from, to] : [to, from]
            const request = makeQuestion(city.layerId, {
              ...rest,
              start_date,
              end_date,
              buffer,
              shape_filter: selected === null ? null : city.shapeIds()[selected - 1],
            })
            const plain = plainTripsThrough(city.grown(buffer), trips, request, { bucket, selected })
            const { rows } = await evaluator.evaluate(makeRequester(city), {
              regionId: city.regionId,
              request,
              bucket,
            })
            const found = rows.map(({ bucket: at, shape, sums }): [string, unknown] => [
              `${at} ${shape === 2 ** 32 - 1 ? 'all' : shape}`,
              [sums['passing'], sums['with_route']],
            ])
            return [
              { request, bucket, found: new Map(found.toSorted()) },
              { request, bucket, found: new Map([...plain].toSorted()) },
            ]
          }
          const runStep = async (step: Exclude<Step, { question: Question }>): Promise<void> => {
            if ('restart' in step) evaluator = city.createEvaluator()
            else if ('shapes' in step)
              city.draw((areas = [...areas.slice(0, step.keptShapes), ...step.shapes]))
            else {
              const changes = new Map(step.routes)
              const withdrawn = [...changes].flatMap(([index, route]) =>
                route === null && trips[index]?.route ? [trips[index]] : [],
              )
              for (const [index, route] of changes) trips[index] = { ...(trips[index] as PlainTrip), route }
              await city.derive(
                [...changes.keys()].flatMap((index) => (trips[index]?.route ? [trips[index]] : [])),
                withdrawn,
              )
            }
          }
          for (const step of [...steps, { question: everything }]) {
            if (!('question' in step)) await runStep(step)
            const [found, expected] = 'question' in step ? await evaluate(step.question) : []
            expect(found).toEqual(expected)
          }
        },
      ),
      {
        numRuns: Number(process.env['TOUCH_RUNS'] ?? 1),
        endOnFailure: true,
        seed: Number(process.env['FLEET_SEED'] ?? 4870),
      },
    )
  }, 600_000)

  describe('of a city', () => {
    const [west, east] = [makeBox(0, 0, 1, 1), makeBox(1, 0, 2, 1)].map((ring): Area => ({
      type: 'Polygon',
      coordinates: [ring],
    })) as [Area, Area]
    const [base] = fc.sample(anyTrip, { numRuns: 1, seed: 1 })
    const makeTrip = (
      n: number,
      route: Position[] | null,
      overrides: Partial<PlainTrip> = {},
    ): PlainTrip => ({
      ...base!,
      tripId: `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`,
      operator: 'lark',
      day: firstDay,
      hour: 8,
      startLon: 0.5,
      startLat: 0.5,
      endLon: 0.5,
      endLat: 0.5,
      route,
      ...overrides,
    })
    // Through both shapes; only in the west; past both. Without a route: from west to east; outside; with
    // unknown places.
    const trips = [
      makeTrip(1, positions('-1 0.5, 3 0.5')),
      makeTrip(2, positions('0.1 0.1, 0.2 0.2'), { hour: 9 }),
      makeTrip(3, positions('-1 5, 3 5')),
      makeTrip(4, null, { endLon: 1.5 }),
      makeTrip(5, null, { startLon: 9, endLon: 9, day: firstDay + 1 }),
      makeTrip(6, null, { startLon: NaN, endLon: NaN }),
    ]
    let city: Awaited<ReturnType<typeof openIntersectionCity>>
    beforeEach(async () => {
      city = await openIntersectionCity(facts, trips)
      city.draw([west, east])
    })

    it('count each trip once in total and once per shape, with the number of trips without a route', async () => {
      const evaluator = city.createEvaluator()
      const result = toSpatialResult(
        await evaluator.evaluate(makeRequester(city), {
          regionId: city.regionId,
          request: makeQuestion(city.layerId),
          bucket: null,
        }),
        1,
      )
      const [first, second] = city.shapeIds() as [string, string]
      expect(result).toMatchObject({
        total: 6,
        unit: 'trips',
        adds_up: 'more',
        ways: { trips_with_way: 3, trips_without_way: 3 },
        method: { name: 'intersect' },
        shape_data: {
          [first]: { value: 3, n: 3, counts: { with_way: 2, without_way: 1 } },
          [second]: { value: 2, n: 2, counts: { with_way: 1, without_way: 1 } },
          [notInShape]: { value: 3, n: 3, counts: { with_way: 1, without_way: 2 } },
        },
      })
      const selected = toSpatialResult(
        await evaluator.evaluate(makeRequester(city), {
          regionId: city.regionId,
          request: makeQuestion(city.layerId, { shape_filter: second }),
          bucket: null,
        }),
        1,
      )
      expect(selected).toMatchObject({
        total: 2,
        ways: { trips_with_way: 1, trips_without_way: 1 },
        shape_data: { [first]: { value: 2 }, [second]: { value: 2 }, [notInShape]: { value: 0 } },
      })
      // Other aggregations of the same map do not use routes.
      const origins = toSpatialResult(
        await evaluator.evaluate(makeRequester(city), {
          regionId: city.regionId,
          request: { ...makeQuestion(city.layerId), aggregation: 'origins' },
          bucket: null,
        }),
        1,
      )
      expect(origins.ways).toBeUndefined()
      expect(origins.shape_data[first]?.value).toBe(4)
    })

    it('are counted by day, by hour and in a file', async () => {
      const evaluator = city.createEvaluator()
      const days = await evaluator.evaluate(makeRequester(city), {
        regionId: city.regionId,
        request: makeQuestion(city.layerId, {
          start_date: dayFromNumber(firstDay),
          end_date: dayFromNumber(firstDay + 1),
        }),
        bucket: 'day',
      })
      expect(await toSpatialByTime(days, 'day', 1)).toMatchObject({
        values: positions('3 2, 0 0'),
        not_in_shape: [2, 1],
        total: [5, 1],
        ways: { trips_with_way: 3, trips_without_way: 3 },
      })
      const [header, line] = [
        ...toCsvByDay(days, new Map(city.shapeIds().map((id, index) => [id, `Shape ${index}`]))),
      ]
        .join('')
        .split('\n')
      expect(header).toBe('date,shape_uuid,shape_name,value,unit,n,with_way,without_way')
      expect(line).toBe(`${dayFromNumber(firstDay)},${city.shapeIds()[0]},Shape 0,3,trips,3,2,1`)
      const hours = await toSpatialByTime(
        await evaluator.evaluate(makeRequester(city), {
          regionId: city.regionId,
          request: makeQuestion(city.layerId),
          bucket: 'hour_of_day',
        }),
        'hour_of_day',
        1,
      )
      expect([hours.values[8], hours.values[9], hours.total[8], hours.total[9]]).toEqual([
        [2, 2],
        [1, 0],
        5,
        1,
      ])
    })

    it('are evaluated once; only new routes and changed shapes are evaluated again', async () => {
      const evaluator = city.createEvaluator()
      const countStoredRoutes = async (tested = evaluator): Promise<number> => {
        city.versions.facts_version += '1'
        city.inserts.length = 0
        await tested.evaluate(makeRequester(city), {
          regionId: city.regionId,
          request: makeQuestion(city.layerId),
          bucket: null,
        })
        return city.inserts
          .filter(({ table }) => table === 'way_shapes')
          .reduce((sum, { rows }) => sum + rows, 0)
      }
      expect(await countStoredRoutes()).toBe(3)
      expect(await countStoredRoutes()).toBe(0)
      expect(await countStoredRoutes(city.createEvaluator())).toBe(0)
      await city.derive([makeTrip(5, positions('1.5 0.5, 1.6 0.5'), { day: firstDay + 1 })])
      expect(await countStoredRoutes()).toBe(1)
      // Only the last two routes are near the new shape.
      city.draw([west, { type: 'Polygon', coordinates: [makeBox(1.55, 0, 2, 1)] }])
      expect(await countStoredRoutes()).toBe(2)
      const result = toSpatialResult(
        await evaluator.evaluate(makeRequester(city), {
          regionId: city.regionId,
          request: makeQuestion(city.layerId),
          bucket: null,
        }),
        1,
      )
      expect(city.shapeIds().map((id) => result.shape_data[id]?.value)).toEqual([3, 2])
      city.draw([west])
      expect(await countStoredRoutes()).toBe(0)
    })

    it('are limited to the operator of the viewer, without a change for other viewers', async () => {
      const scope = { ...city.scope, operators: ['heron'] }
      const evaluator = city.createEvaluator()
      expect(
        toSpatialResult(
          await evaluator.evaluate(
            { ...makeRequester(city), scope },
            { regionId: city.regionId, request: makeQuestion(city.layerId), bucket: null },
          ),
          1,
        ).total,
      ).toBe(0)
      expect(
        toSpatialResult(
          await evaluator.evaluate(makeRequester(city), {
            regionId: city.regionId,
            request: makeQuestion(city.layerId),
            bucket: null,
          }),
          1,
        ),
      ).toMatchObject({ total: 6, ways: { trips_with_way: 3 } })
    })

    it('are prepared in the background if an evaluation takes too long, and then returned', async () => {
      const impatientCity = await openIntersectionCity(facts, trips, 1)
      impatientCity.draw([west, east])
      const evaluator = impatientCity.createEvaluator()
      await expect(
        evaluator.evaluate(makeRequester(impatientCity), {
          regionId: impatientCity.regionId,
          request: makeQuestion(impatientCity.layerId),
          bucket: null,
        }),
      ).rejects.toMatchObject({
        code: 'being_prepared',
        message: expect.stringContaining('of 1 days are done') as string,
      })
      await expect
        .poll(
          () =>
            evaluator
              .evaluate(makeRequester(impatientCity), {
                regionId: impatientCity.regionId,
                request: makeQuestion(impatientCity.layerId),
                bucket: null,
              })
              .then(
                ({ rows }) => rows.length,
                () => 0,
              ),
          { timeout: 20_000 },
        )
        .toBe(4)
    })
  })
})
