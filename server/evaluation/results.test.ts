import { describe, expect, it } from 'vitest'
import { notInShape } from '#contract/evaluation.ts'
import { SpatialRequest } from '#contract/spatial.ts'
import { ALL_SHAPES_ID } from '#server/fleet/cubes/cube-columns.ts'
import type { Evaluation } from './evaluate.ts'
import { modes } from './modes/modes.ts'
import type { SumRow } from './modes/mode.ts'
import { toCsvByDay, toFiguresByDay, toSpatialByTime, toSpatialResult } from './results.ts'

const [one, two] = ['aaaaaaaa-0000-4000-8000-000000000001', 'aaaaaaaa-0000-4000-8000-000000000002'] as const
const hourMs = 3_600_000
const requestWith = (overrides: Partial<SpatialRequest> = {}): SpatialRequest =>
  SpatialRequest.parse({
    mode: 'parking',
    aggregation: 'total_parking_events',
    shape_layer_uuid: one,
    start_date: '2026-03-01',
    end_date: '2026-03-03',
    ...overrides,
  })
const row = (shape: number, events: number, bucket = ''): SumRow => ({
  shape,
  bucket,
  operator: null,
  sums: { events, length_ms: events * 2 * hourMs, parked_ms: events * hourMs },
})
const makeEvaluation = (
  rows: SumRow[],
  overrides: Partial<Evaluation> = {},
  request: Partial<SpatialRequest> = {},
): Evaluation => ({
  request: requestWith(request),
  mode: modes[request.mode ?? 'parking'],
  rows,
  shapeIds: [one, two],
  version: '3.hash',
  isSettled: true,
  spans: new Map([['', { days: 3, ms: 72 * hourMs }]]),
  from: 'facts',
  ...overrides,
})

describe('toSpatialResult', () => {
  const rows = [row(0, 1), row(1, 6), row(ALL_SHAPES_ID, 7)]

  it('contains every shape and NOT_IN_SHAPE, with zeros where there are no facts', () => {
    const result = toSpatialResult(makeEvaluation(rows), 1.5)
    expect(result.shape_data).toEqual({
      [notInShape]: { value: 1, n: 1, counts: { count: 1, total_parked_duration: 60 } },
      [one]: { value: 6, n: 6, counts: { count: 6, total_parked_duration: 360 } },
      [two]: { value: 0, n: 0, counts: { count: 0, total_parked_duration: 0 } },
    })
    expect(result).toMatchObject({
      total: 7,
      mode: 'parking',
      aggregation: 'total_parking_events',
      unit: 'events',
      days: 3,
      adds_up: 'exact',
      milliseconds: 1.5,
      from: 'facts',
      method: { name: 'total_parking_events', version: 1, buffer: 0 },
    })
  })

  it('reports whether shapes add up to more than the total, or never add up', () => {
    expect(toSpatialResult(makeEvaluation([row(1, 6), row(2, 6), row(ALL_SHAPES_ID, 7)]), 0).adds_up).toBe(
      'more',
    )
    expect(
      toSpatialResult(makeEvaluation(rows, {}, { aggregation: 'average_parked_duration' }), 0),
    ).toMatchObject({
      adds_up: 'never',
      total: 120,
      unit: 'minutes',
      shape_data: { [one]: { value: 120, n: 6 }, [two]: { value: null, n: 0 } },
    })
  })

  it('tolerates rounding errors when fractions are summed', () => {
    const thirds = [0.1, 0.2].map((ms, index): SumRow => ({
      shape: index + 1,
      bucket: '',
      operator: 'lark',
      sums: { available_ms: ms },
    }))
    const total: SumRow = { shape: ALL_SHAPES_ID, bucket: '', operator: 'lark', sums: { available_ms: 0.3 } }
    expect(
      toSpatialResult(
        makeEvaluation([...thirds, total], {}, { mode: 'distribution', aggregation: 'average_vehicles' }),
        0,
      ).adds_up,
    ).toBe('exact')
  })

  it('returns null values if the filters exclude all days', () => {
    const none = toSpatialResult(
      makeEvaluation(
        [],
        { spans: new Map([['', { days: 0, ms: 0 }]]) },
        { aggregation: 'daily_parking_events' },
      ),
      0,
    )
    expect([none.total, none.shape_data[one]?.value, none.adds_up]).toEqual([null, null, 'exact'])
  })
})

describe('by time and day', () => {
  const spans = new Map([
    ['2026-03-01', { days: 1, ms: 24 * hourMs }],
    ['2026-03-03', { days: 1, ms: 24 * hourMs }],
  ])
  const rows = [
    row(1, 2, '2026-03-01'),
    row(0, 1, '2026-03-01'),
    row(ALL_SHAPES_ID, 3, '2026-03-01'),
    row(2, 4, '2026-03-03'),
    row(ALL_SHAPES_ID, 4, '2026-03-03'),
  ]
  const days = makeEvaluation(rows, { spans })

  it('returns a row for each day, with zeros for shapes without facts and null for filtered days', async () => {
    expect(await toSpatialByTime(days, 'day', 2)).toEqual({
      buckets: ['2026-03-01', '2026-03-02', '2026-03-03'],
      shape_uuids: [one, two],
      values: [
        [2, 0],
        [null, null],
        [0, 4],
      ],
      not_in_shape: [1, null, 0],
      total: [3, null, 4],
      unit: 'events',
      method: { name: 'total_parking_events', version: 1, buffer: 0 },
      milliseconds: 2,
      from: 'facts',
    })
  })

  it('returns a row for each hour of the day', async () => {
    const result = await toSpatialByTime(
      makeEvaluation(
        [row(1, 6, '7'), row(ALL_SHAPES_ID, 6, '7')],
        { spans: new Map([['7', { days: 3, ms: 3 * hourMs }]]) },
        { aggregation: 'daily_parking_events' },
      ),
      'hour_of_day',
      0,
    )
    expect(result.buckets).toHaveLength(24)
    expect([result.values[7], result.total[7], result.values[8]]).toEqual([[2, 0], 2, [null, null]])
  })

  it('formats CSV with one line per day and shape, without formulas', () => {
    expect(
      [
        ...toCsvByDay(
          days,
          new Map([
            [one, '=1+1'],
            [two, 'Bay, north'],
          ]),
        ),
      ]
        .join('')
        .split('\n'),
    ).toEqual([
      'date,shape_uuid,shape_name,value,unit,n,count,total_parked_duration',
      `2026-03-01,${one},'=1+1,2,events,2,2,120`,
      `2026-03-01,${two},"Bay, north",0,events,0,0,0`,
      '2026-03-01,NOT_IN_SHAPE,NOT_IN_SHAPE,1,events,1,1,60',
      `2026-03-03,${one},'=1+1,0,events,0,0,0`,
      `2026-03-03,${two},"Bay, north",4,events,4,4,240`,
      '2026-03-03,NOT_IN_SHAPE,NOT_IN_SHAPE,0,events,0,0,0',
      '',
    ])
  })

  it('leaves a cell empty if a day has no value', () => {
    const lines = [
      ...toCsvByDay(makeEvaluation(rows, { spans }, { aggregation: 'average_parked_duration' }), new Map()),
    ]
      .join('')
      .split('\n')
    expect(lines.find((line) => line.startsWith(`2026-03-01,${two}`))).toBe(
      `2026-03-01,${two},,,minutes,0,0,0`,
    )
  })

  it('omits days and shapes without facts by day', () => {
    const figures = (value: number) => ({
      value,
      n: value,
      counts: { count: value, total_parked_duration: value * 60 },
    })
    expect(toFiguresByDay(days)).toEqual({
      '2026-03-01': { [one]: figures(2), [notInShape]: figures(1) },
      '2026-03-03': { [two]: figures(4) },
    })
  })
})
