import { aggregations } from '#contract/map-names.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { notInShape, SpatialQuestion } from '#contract/evaluation.ts'
import { dayFromNumber, getWeekday } from '#contract/period.ts'
import { readQueryTime, computeSpans } from './query-time.ts'
import { modes } from './modes/modes.ts'
import { readSumRow, type SumRow } from './modes/mode.ts'
import type { ShapeRow } from '#server/fleet/trips-by-shape.ts'
import { ALL_SHAPES_ID } from '#server/fleet/cubes/cube-columns.ts'
import type { Evaluation } from './evaluate.ts'
import { readRecentTripFilters } from './query-strings.ts'
import {
  readAggregation,
  formatTripsCsv,
  toTripsResponse,
  toTripCountsByDay,
  toTripsRequest,
} from './trips-routes.ts'

const ids = [
  'aaaaaaaa-0000-4000-8000-000000000001',
  'aaaaaaaa-0000-4000-8000-000000000002',
  'aaaaaaaa-0000-4000-8000-000000000003',
]
const question = (overrides: Partial<SpatialQuestion> = {}): SpatialQuestion =>
  SpatialQuestion.parse({
    region_id: 'r',
    start_date: '2026-03-01',
    end_date: '2026-03-10',
    shape_layer_uuid: ids[0],
    ...overrides,
  })
const row = (
  shape: number,
  [orig, dest, either]: readonly [orig: number, dest: number, either: number],
  overrides: Partial<ShapeRow> = {},
): SumRow =>
  readSumRow({
    shape,
    orig: String(orig),
    dest: String(dest),
    either: String(either),
    orig_measured: String(orig),
    dest_measured: String(dest),
    orig_mm: String(orig * 1_000_000),
    dest_mm: String(dest * 500_000),
    ...overrides,
  })
const rows = [row(0, [1, 2, 3]), row(1, [6, 3, 8]), row(3, [3, 5, 7]), row(ALL_SHAPES_ID, [10, 10, 10])]
const makeEvaluation = (
  body: SpatialQuestion,
  sumRows: readonly SumRow[],
  bucket: 'day' | null = null,
): Evaluation => {
  const request = toTripsRequest(body)
  const time = readQueryTime(request, 'UTC')
  return {
    request,
    mode: modes.trips,
    rows: [...sumRows],
    shapeIds: ids,
    version: '1.h',
    isSettled: true,
    spans: computeSpans(request, time, bucket, time.until),
    from: 'facts',
  }
}
const present = (body: SpatialQuestion, sumRows: readonly SumRow[] = rows) =>
  toTripsResponse(makeEvaluation(body, sumRows), readAggregation(body), 1.3)

describe('days of a response', () => {
  it('are the days of the period on the selected weekdays', () => {
    const day = fc.integer({ min: 20_000, max: 20_400 })
    fc.assert(
      fc.property(day, day, fc.subarray([1, 2, 3, 4, 5, 6, 7]), (a, b, days) => {
        let expected = 0
        for (let number = Math.min(a, b); number <= Math.max(a, b); number++)
          if (!days.length || days.includes(getWeekday(dayFromNumber(number)))) expected++
        expect(
          present(
            question({
              start_date: dayFromNumber(Math.min(a, b)),
              end_date: dayFromNumber(Math.max(a, b)),
              days,
            }),
          ).days,
        ).toBe(expected)
      }),
    )
  })
})

describe('readAggregation', () => {
  it.each([
    ['orig', 'total_count', 'origins'],
    ['dest', 'total_count', 'destinations'],
    ['orig', 'average_distance', 'average_origin_distance'],
    ['dest', 'average_distance', 'average_destination_distance'],
  ] as const)('%s of %s is %s', (direction, agg, expected) =>
    expect(readAggregation({ direction, agg })).toBe(expected),
  )
  it.each(aggregations.trips)('%s is an aggregation already', (name) =>
    expect(readAggregation({ direction: name, agg: 'average_distance' })).toBe(name),
  )
})

describe('toTripsResponse', () => {
  const getFigures = (direction: SpatialQuestion['direction'], id: string = ids[0] as string) =>
    present(question({ direction })).shape_data[id]

  it('contains every shape and NOT_IN_SHAPE, with zeros where there are no trips', () => {
    const result = present(question())
    expect(Object.keys(result.shape_data).sort()).toEqual([...ids, notInShape].sort())
    expect(result.shape_data[ids[1] as string]).toEqual({ orig: 0, dest: 0, count: 0, value: 0, n: 0 })
    expect(result.shape_data[notInShape]).toEqual({ orig: 1, dest: 2, count: 3, value: 1, n: 1 })
    expect(result).toMatchObject({
      total: 10,
      aggregation: 'origins',
      unit: 'trips',
      days: 10,
      overlaps: false,
      milliseconds: 1.3,
      from: 'facts',
      method: { name: 'origins', buffer: 0 },
    })
  })

  it('returns the value and sample size of each aggregation', () => {
    expect(getFigures('origins')).toMatchObject({ value: 6, n: 6 })
    expect(getFigures('destinations')).toMatchObject({ value: 3, n: 3 })
    expect(getFigures('daily_origins')).toMatchObject({ value: 0.6, n: 6 })
    expect(getFigures('daily_destinations')).toMatchObject({ value: 0.3, n: 3 })
    expect(getFigures('orig_or_dest')).toMatchObject({ value: 8, n: 8 })
    expect(getFigures('average_origin_distance')).toMatchObject({ value: 1000, n: 6 })
    expect(getFigures('average_destination_distance')).toMatchObject({ value: 500, n: 3 })
  })

  it('distinguishes missing values from zero', () => {
    expect(getFigures('average_origin_distance', ids[1])).toMatchObject({ value: null, n: 0 })
    const mondays = question({
      direction: 'daily_origins',
      start_date: '2026-03-03',
      end_date: '2026-03-04',
      days: [1],
    })
    expect(present(mondays, [])).toMatchObject({
      days: 0,
      total: 0,
      shape_data: { [notInShape]: { value: null } },
    })
  })

  it.each([
    ['origins', 'trips'],
    ['daily_destinations', 'trips_per_day'],
    ['average_origin_distance', 'meters'],
    ['orig_or_dest', 'trips'],
  ] as const)('measures %s in %s', (direction, unit) =>
    expect(present(question({ direction })).unit).toBe(unit),
  )

  it('returns the total of the requested side', () => {
    const getTotal = (direction: SpatialQuestion['direction']): number =>
      present(question({ direction }), [row(ALL_SHAPES_ID, [4, 7, 9])]).total
    expect([getTotal('origins'), getTotal('daily_origins'), getTotal('average_origin_distance')]).toEqual([
      4, 4, 4,
    ])
    expect([
      getTotal('destinations'),
      getTotal('daily_destinations'),
      getTotal('average_destination_distance'),
      getTotal('dest'),
    ]).toEqual([7, 7, 7, 7])
    expect(getTotal('orig_or_dest')).toBe(9)
  })

  it('counts trips that pass through for intersect', () => {
    const passing = (shape: number, trips: number): SumRow => ({
      ...row(shape, [0, 0, 0]),
      sums: { passing: trips, with_route: trips - 1 },
    })
    const result = present(question({ direction: 'intersect' }), [
      passing(1, 4),
      passing(2, 3),
      passing(ALL_SHAPES_ID, 5),
    ])
    expect(result).toMatchObject({ total: 5, aggregation: 'intersect', unit: 'trips', overlaps: true })
    expect(result.shape_data[ids[0] as string]).toEqual({ orig: null, dest: null, count: 4, value: 4, n: 4 })
  })

  it('reports overlaps if the sum of shapes exceeds the total', () => {
    expect(
      present(question(), [row(1, [6, 0, 6]), row(2, [6, 0, 6]), row(ALL_SHAPES_ID, [10, 10, 10])]).overlaps,
    ).toBe(true)
    expect(
      present(question(), [row(1, [0, 6, 6]), row(2, [0, 6, 6]), row(ALL_SHAPES_ID, [10, 10, 10])]).overlaps,
    ).toBe(true)
  })
})

describe('by day', () => {
  const byDay = toTripCountsByDay(
    makeEvaluation(
      question({ direction: 'daily_origins' }),
      [
        row(1, [2, 1, 3], { day: '2026-03-01' }),
        row(0, [1, 1, 1], { day: '2026-03-01' }),
        row(ALL_SHAPES_ID, [3, 2, 4], { day: '2026-03-01' }),
        row(1, [4, 0, 4], { day: '2026-03-02' }),
      ],
      'day',
    ),
  )

  it('contains the shapes of each day, with values divided by one day', () => {
    expect(byDay).toEqual({
      '2026-03-01': {
        [ids[0] as string]: { orig: 2, dest: 1, count: 3, value: 2, n: 2 },
        [notInShape]: { orig: 1, dest: 1, count: 1, value: 1, n: 1 },
      },
      '2026-03-02': { [ids[0] as string]: { orig: 4, dest: 0, count: 4, value: 4, n: 4 } },
    })
  })

  it('is written as CSV without formulas', () => {
    const csv = formatTripsCsv(byDay, new Map([[ids[0] as string, '=1+"a", b']]))
    expect(csv.split('\n')).toEqual([
      'date,shape_uuid,shape_name,origins,destinations,origins_or_destinations,value,n',
      `2026-03-01,${ids[0]},"'=1+""a"", b",2,1,3,2,2`,
      '2026-03-01,NOT_IN_SHAPE,NOT_IN_SHAPE,1,1,1,1,1',
      `2026-03-02,${ids[0]},"'=1+""a"", b",4,0,4,4,4`,
      '',
    ])
  })

  it('leaves a cell empty if there is no value', () => {
    const none = toTripCountsByDay(
      makeEvaluation(
        question({ direction: 'average_origin_distance' }),
        [row(1, [1, 0, 1], { day: '2026-03-01', orig_measured: '0', orig_mm: '0' })],
        'day',
      ),
    )
    expect(formatTripsCsv(none, new Map()).split('\n')[1]).toBe(`2026-03-01,${ids[0]},,1,0,1,,0`)
  })
})

describe('readRecentTripFilters', () => {
  const query = {
    region_id: 'r',
    location: 'origin' as const,
    days: [],
    start_time_hour: 6,
    end_time_hour: 22,
  }
  it('reads comma-separated lists', () => {
    expect(
      readRecentTripFilters({
        ...query,
        operators: 'lark, heron,,',
        days: [1, 7],
        vehicle_type: 'car',
        start_date: '2026-01-01',
      }),
    ).toEqual({
      region_id: 'r',
      start_date: '2026-01-01',
      end_date: undefined,
      operators: ['lark', 'heron'],
      vehicle_type: 'car',
      vehicle_types: [],
      days: [1, 7],
      hour_filters: [6, 22],
    })
  })
  it('has no filters by default', () =>
    expect(readRecentTripFilters(query)).toMatchObject({ operators: [], days: [], vehicle_type: null }))
})
