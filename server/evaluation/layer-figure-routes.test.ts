import { describe, expect, it } from 'vitest'
import { notInShape } from '#contract/evaluation.ts'
import type { FigureQuery } from '#contract/layer-figures.ts'
import type { Geometry } from '#contract/place.ts'
import type { ShapeFigures } from '#contract/spatial.ts'
import { readCensus } from './layer-figure-routes.ts'
import { toLegendValues } from './results.ts'
import { toDayFeatures } from './by-day-response.ts'
import { readHourRange, readFigureQuery } from './query-strings.ts'

const figures = (value: number | null, n = 1): ShapeFigures => ({ value, n, counts: {} })

describe('toLegendValues', () => {
  const shapes = Object.fromEntries([
    ...Array.from({ length: 14 }, (_, index) => [`s${index}`, figures(index + 1)]),
    ['zero', figures(0)],
    ['none', figures(null)],
    [notInShape, figures(999)],
  ]) as Record<string, ShapeFigures>
  it('has seven classes; zeros and missing values are counted separately', () => {
    const legend = toLegendValues({ shape_data: shapes, unit: 'events' }, 'v1')
    expect(legend.bins).toHaveLength(7)
    expect(legend.bins.reduce((sum, { count }) => sum + count, 0)).toBe(14)
    expect(legend).toMatchObject({ min: 0, max: 14, zeros: 1, none: 1, unit: 'events', v: 'v1' })
  })
  it('omits a missing version, and has no classes without shapes', () =>
    expect(toLegendValues({ shape_data: {}, unit: 'minutes' }, null)).toEqual({
      bins: [],
      min: null,
      max: null,
      zeros: 0,
      none: 0,
      unit: 'minutes',
    }))
})

describe('readCensus', () => {
  it.each([
    [{ pctNonwhite: 12.5, medianIncome: 50_000 }, 12.5, 50_000],
    [{ PCT_NONWHITE: '12.5%', 'Median Income': '$50,000' }, 12.5, 50_000],
    [{ median_household_income: 1 }, null, 1],
    [{ pct_nonwhite: 'n/a', median_income: '' }, null, null],
    [{ nonwhite: 3, income: 4, medianIncomeYear: 2020 }, null, null],
    [{ pct_nonwhite: null, median_income: true }, null, null],
  ])('reads %j', (properties, pctNonwhite, medianIncome) =>
    expect(readCensus(properties)).toEqual({ pctNonwhite, medianIncome }),
  )
})

describe('readFigureQuery', () => {
  const query: FigureQuery = {
    start_date: '2026-03-01',
    end_date: '2026-03-02',
    days: [],
    start_time_hour: 0,
    end_time_hour: 23,
    buffer: 0,
    parked_duration: 0,
  }
  const layer = 'aaaaaaaa-0000-4000-8000-000000000001'
  it('reads comma-separated lists, and defaults to the first aggregation of a mode', () => {
    expect(
      readFigureQuery('parking', layer, {
        ...query,
        operators: 'a, b,',
        days: [1, 7],
        start_time_hour: 6,
        end_time_hour: 9,
        parked_duration: 60,
      }),
    ).toMatchObject({
      mode: 'parking',
      aggregation: 'total_parking_events',
      operators: ['a', 'b'],
      days: [1, 7],
      hour_filters: [6, 9],
      parked_duration: 60,
    })
    expect(
      readFigureQuery('distribution', layer, { ...query, aggregation: 'share_of_fleet' }).aggregation,
    ).toBe('share_of_fleet')
  })
  it('rejects aggregations of other modes', () => {
    expect(() => readFigureQuery('drop_offs', layer, { ...query, aggregation: 'origins' })).toThrow(
      'query.aggregation: one of total_drop_offs, daily_drop_offs',
    )
  })
})

describe('readHourRange', () => {
  it.each<[string | undefined, string | undefined, [number, number]]>([
    [undefined, undefined, [0, 23]],
    ['07:00', '09:00', [7, 8]],
    ['07:10', '07:50', [7, 7]],
    ['22', '6', [22, 5]],
    ['22:00', '00:00', [22, 23]],
  ])('%s until %s', (from, until, hours) => expect(readHourRange(from, until)).toEqual(hours))
  it('rejects a range that ends when it starts', () =>
    expect(() => readHourRange('07:00', '07:00')).toThrow('query.endTime'))
})

describe('toDayFeatures', () => {
  it('has one feature per shape, with the days that have figures', () => {
    const geometry: Geometry = { type: 'Point', coordinates: [1, 2] }
    expect(
      toDayFeatures(
        {
          '2026-03-02': { a: figures(3, 4), [notInShape]: figures(1) },
          '2026-03-01': { a: figures(null, 0) },
        },
        [
          { shapeId: 'a', name: 'A', geometry },
          { shapeId: 'b', name: 'B', geometry },
        ],
      ),
    ).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 'a',
          geometry,
          properties: {
            shape_uuid: 'a',
            shape_name: 'A',
            days: { '2026-03-01': { value: null, n: 0 }, '2026-03-02': { value: 3, n: 4 } },
          },
        },
        { type: 'Feature', id: 'b', geometry, properties: { shape_uuid: 'b', shape_name: 'B', days: {} } },
      ],
    })
  })
})
