import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CurbMeasure, CurbMetricsResponse } from '#contract/curb-sessions.ts'
import kit from '#web/kit/kit.en.json' with { type: 'json' }
import reporting from '#web/reporting/reporting.en.json' with { type: 'json' }
import { testRegion } from '#web/shell/test-responses.ts'
import curb from '../curb.management.en.json' with { type: 'json' }
import {
  type CurbContext,
  getCurbFilters,
  getMeasureFormat,
  formatCurbFreshness,
  curbQuery,
  curbTile,
  curbTimeChart,
  readCurbSearch,
  formatTerm,
} from './curb-report.ts'

const context: CurbContext = {
  region: testRegion('port-meridian', 'Port Meridian'),
  today: '2026-06-20',
  language: 'en-US',
}
const yen: CurbContext = { ...context, region: { ...context.region, currencyCode: 'JPY' } }
const { t } = i18next

const testResponse = (overrides: Partial<CurbMetricsResponse> = {}): CurbMetricsResponse => ({
  period: {
    start_date: '2026-06-19',
    end_date: '2026-06-20',
    rows: [
      { keys: ['2026-06-19'], values: [10, 90] },
      { keys: ['2026-06-20'], values: [null, 0] },
    ],
    totals: [10, 90],
  },
  comparison: null,
  sources: [],
  coverage: { share: 0.954, measured_zones: 3, zones: 1200 },
  findings: [],
  newest_event: '2026-06-20T15:30:00.000Z',
  pending_days: 0,
  ...overrides,
})
const comparison = {
  start_date: '2025-06-19',
  end_date: '2025-06-20',
  rows: [{ keys: ['2025-06-19'], values: [4, 30] }],
  totals: [4, 30],
}
const compared = { compare_start_date: '2025-06-19', compare_end_date: '2025-06-20' }

beforeAll(() => i18next.init({ lng: 'en-US', resources: { 'en-US': { curb, kit, reporting } } }))

describe('curbQuery', () => {
  const bodyOf = (search: Parameters<typeof curbQuery>[1]) =>
    (curbQuery(context, search, ['sessions'], ['day']).queryKey as [string, string, { body: object }])[2].body

  it('uses the default period, all measuring sources and the whole day for an empty URL', () => {
    expect(bodyOf({})).toMatchObject({
      measures: ['sessions'],
      dimensions: ['day'],
      compare_start_date: null,
      compare_end_date: null,
      days: [],
      hour_filters: [0, 23],
      source: 'measured',
      vehicle_types: [],
    })
  })

  it('uses what the URL selects; the end hour is exclusive there and inclusive in the URL', () => {
    const search = readCurbSearch({
      start_date: '2026-05-01',
      end_date: '2026-05-31',
      ...compared,
      days: [6, 7],
      hours: [8, 18],
      source: 'camera',
      classes: ['truck', 'van'],
    })
    expect(bodyOf(search)).toMatchObject({
      start_date: '2026-05-01',
      end_date: '2026-05-31',
      compare_start_date: '2025-06-19',
      compare_end_date: '2025-06-20',
      days: [6, 7],
      hour_filters: [8, 17],
      source: 'camera',
      vehicle_types: ['truck', 'van'],
    })
  })

  it('drops unknown sources, grains and user classes', () => {
    expect(readCurbSearch({ source: 'guess', grain: 'hour', group: 'street', classes: ['tank'] })).toEqual({})
  })

  it('can be set with the filters, each of which has a default option', () => {
    const defaults = getCurbFilters(context, t).flatMap((filter) =>
      filter.kind === 'choice' ? [[filter.key, filter.defaultValue]] : [],
    )
    expect(defaults).toEqual([
      ['source', 'measured'],
      ['grain', 'day'],
      ['group', 'zone'],
    ])
  })
})

describe('a tile of a measure', () => {
  it.each<[CurbMeasure, CurbContext, number, string, string]>([
    ['dwell_mean', context, 5400, '90', 'min'],
    ['occupancy', context, 0.853, '85%', ''],
    ['turnover', context, 0.256, '0.26', 'per space and hour'],
    ['revenue', context, 123_450, '$1,234.50', ''],
    ['revenue', yen, 1234, '¥1,234', ''],
    ['sessions', context, 1234, '1,234', ''],
  ])('%s is scaled and written in its unit (case %#)', (measure, input, value, text, unit) => {
    const { scale, format, unit: shown } = getMeasureFormat(measure, input, t)
    expect([format(scale(value)), shown]).toEqual([text, unit])
    expect(format(null)).toBe('n/a')
  })

  it('has the total and the series; unknown values are not zero', () => {
    const tile = curbTile(
      context,
      {},
      { measures: ['sessions', 'dwell_mean'], response: testResponse(), measure: 'dwell_mean' },
      t,
    )
    expect(tile).toMatchObject({ label: 'Mean stay', value: 1.5, unit: 'min', history: [1.5, 0] })
    expect(tile.comparisons).toBeUndefined()
    const sessions = curbTile(
      context,
      {},
      { measures: ['sessions'], response: testResponse(), measure: 'sessions' },
      t,
    )
    expect(sessions.history).toEqual([10, null])
  })

  it('has no value if the response lacks the measure', () => {
    const tile = curbTile(
      context,
      {},
      { measures: ['sessions'], response: testResponse(), measure: 'overstays' },
      t,
    )
    expect(tile.value).toBeNull()
    expect(tile.missingReason).toMatch(/^No source was online/)
  })

  it('is compared if both the URL and the response have a second period', () => {
    const measures = ['sessions', 'dwell_mean'] as const
    const tile = curbTile(
      context,
      compared,
      { measures, response: testResponse({ comparison }), measure: 'dwell_mean' },
      t,
    )
    expect(tile.comparisons).toEqual([
      { key: 'compared', name: expect.stringMatching(/Jun 19.*20, 2025/) as string, value: 0.5 },
    ])
    const without = curbTile(
      context,
      {},
      { measures, response: testResponse({ comparison }), measure: 'dwell_mean' },
      t,
    )
    expect(without.comparisons).toBeUndefined()
  })
})

describe('a chart by time', () => {
  const chartOf = (search: Parameters<typeof curbTimeChart>[1], response = testResponse()) =>
    curbTimeChart(context, search, { response, measure: 'dwell_mean', index: 1, kind: 'line' }, t)

  it('names the days, and marks the unfinished one', () => {
    expect(chartOf({})).toEqual({
      kind: 'line',
      axis: { title: 'Day', labels: ['Jun 19, 2026', 'Jun 20, 2026'], inProgressIndex: 1 },
      series: [{ key: 'dwell_mean', name: 'Mean stay', values: [1.5, 0] }],
    })
  })

  it('has a gap for an unknown day', () => {
    const chart = curbTimeChart(
      context,
      {},
      { response: testResponse(), measure: 'sessions', index: 0, kind: 'bar' },
      t,
    )
    expect(chart.series[0]?.values).toEqual([10, null])
  })

  it('names weeks and months', () => {
    expect(chartOf({ grain: 'week' }).axis.labels).toEqual(['Week of Jun 19, 2026', 'Week of Jun 20, 2026'])
    expect(chartOf({ grain: 'month' }).axis.labels[0]).toBe('June 2026')
  })

  it('marks a month that begins before the period, and one that is not over', () => {
    const period = {
      start_date: '2026-05-20',
      end_date: '2026-06-20',
      rows: [
        { keys: ['2026-05-01'], values: [10, 90] },
        { keys: ['2026-06-01'], values: [10, 90] },
      ],
      totals: [20, 90],
    }
    const { axis } = chartOf({ grain: 'month' }, testResponse({ period }))
    expect(axis).toMatchObject({ dataStart: 'May 20', inProgressIndex: 1 })
  })

  it('draws the compared period behind', () => {
    expect(chartOf(compared, testResponse({ comparison })).before?.series[0]?.values).toEqual([0.5])
  })
})

describe('the line about the data', () => {
  it('has the newest event in the time zone of the region, and the measured share', () => {
    expect(formatCurbFreshness(context, testResponse(), t).replaceAll(/[\u2009\u202f]/g, ' ')).toBe(
      'Port Meridian · Jun 19 – 20, 2026 · newest event Jun 20, 2026, 11:30 AM · 3 of 1,200 zones measured · sources online 95%',
    )
  })

  it('lists what is missing, wrong or still being prepared', () => {
    const line = formatCurbFreshness(
      context,
      testResponse({
        newest_event: null,
        coverage: { share: null, measured_zones: 0, zones: 0 },
        findings: [
          { problem: 'no_end', count: 1200 },
          { problem: 'overlap', count: 34 },
        ],
        pending_days: 2,
      }),
      t,
    )
    expect(line).toContain('no events · 0 of 0 zones measured · 1,234 findings · 2 days are being prepared')
    expect(line).not.toContain('online')
  })
})

it('translates the terms of the standard, and shows those of a city unchanged', () => {
  expect(['truck', 'night_market', ''].map((word) => formatTerm(word, t))).toEqual([
    'Truck',
    'night market',
    'Unspecified',
  ])
})
