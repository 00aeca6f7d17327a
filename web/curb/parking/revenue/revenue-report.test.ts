import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PaymentResponse, PaymentMeasure } from '#contract/curb-payments.ts'
import kit from '#web/kit/kit.en.json' with { type: 'json' }
import reporting from '#web/reporting/reporting.en.json' with { type: 'json' }
import { testRegion } from '#web/shell/test-responses.ts'
import curb from '../../curb.payments.en.json' with { type: 'json' }
import {
  getMeasureFormat,
  readRevenueSearch,
  type RevenueContext,
  getRevenueFilters,
  formatFreshness,
  revenueQuery,
  revenueTile,
  revenueTimeChart,
} from './revenue-report.ts'

const context: RevenueContext = {
  region: testRegion('port-meridian', 'Port Meridian'),
  today: '2026-06-20',
  getDefaultPeriod: () => ({ start_date: '2026-06-01', end_date: '2026-06-19' }),
  language: 'en-US',
  at: 0,
}
const dinar = { region: { ...context.region, currencyCode: 'KWD' } }
const { t } = i18next

const testResponse = (overrides: Partial<PaymentResponse> = {}): PaymentResponse => ({
  period: {
    start_date: '2026-06-19',
    end_date: '2026-06-20',
    rows: [
      { keys: ['2026-06-19'], values: [7, 19_550] },
      { keys: ['2026-06-20'], values: [0, null] },
    ],
    totals: [7, 19_550],
  },
  comparison: null,
  basis: 'paid',
  newest_payment: '2026-06-20T15:30:00.000Z',
  unlinked_revenue: 0,
  pending_days: 0,
  ...overrides,
})
const comparison = {
  start_date: '2025-06-19',
  end_date: '2025-06-20',
  rows: [{ keys: ['2025-06-19'], values: [3, 900] }],
  totals: [3, 900],
}
const compared = { compare_start_date: '2025-06-19', compare_end_date: '2025-06-20' }

beforeAll(() => i18next.init({ lng: 'en-US', resources: { 'en-US': { curb, kit, reporting } } }))

describe('revenueQuery', () => {
  const bodyOf = (search: Parameters<typeof revenueQuery>[1]) =>
    (revenueQuery(context, search, ['revenue'], ['zone']).queryKey as [string, string, { body: object }])[2]
      .body

  it('uses the default period of the region by time of payment for an empty URL', () => {
    expect(bodyOf({})).toEqual({
      measures: ['revenue'],
      dimensions: ['zone'],
      basis: 'paid',
      start_date: '2026-06-01',
      end_date: '2026-06-19',
      compare_start_date: null,
      compare_end_date: null,
      days: [],
      hour_filters: [0, 23],
      payment_types: [],
      vendors: [],
      zones: [],
    })
  })

  it('uses what the URL selects', () => {
    const search = readRevenueSearch({
      start_date: '2026-05-31',
      end_date: '2026-05-01',
      ...compared,
      days: [1],
      hours: [9, 12],
      basis: 'parked',
      types: ['Coin'],
      vendors: ['Meters Inc'],
      zones: ['z1'],
    })
    expect(bodyOf(search)).toMatchObject({
      // The URL has the days in the wrong order.
      start_date: '2026-05-01',
      end_date: '2026-05-31',
      compare_start_date: '2025-06-19',
      compare_end_date: '2025-06-20',
      days: [1],
      hour_filters: [9, 11],
      basis: 'parked',
      payment_types: ['Coin'],
      vendors: ['Meters Inc'],
      zones: ['z1'],
    })
  })

  it('offers the filters of the region; payments without a type cannot be selected', () => {
    const filters = getRevenueFilters(
      context,
      { vendors: ['Meters Inc'], types: ['Card', ''], zones: [{ curb_zone_id: 'z1', name: '1st Street' }] },
      t,
    )
    const options = filters.flatMap((filter) =>
      filter.kind === 'choices' ? [[filter.key, filter.options]] : [],
    )
    expect(options).toEqual([
      ['types', [{ value: 'Card', text: 'Card' }]],
      ['vendors', [{ value: 'Meters Inc', text: 'Meters Inc' }]],
      ['zones', [{ value: 'z1', text: '1st Street' }]],
    ])
  })
})

describe('a tile of a measure', () => {
  it.each<[PaymentMeasure, Parameters<typeof getMeasureFormat>[1], number, string]>([
    ['revenue', context, 123_450, '$1,234.50'],
    ['revenue', dinar, 1500, 'KWD 1.500'],
    ['revenue_per_session', context, 250, '$2.50'],
    ['purchased_hours', context, 1234.5, '1,235'],
    ['payments', context, 1234, '1,234'],
  ])('%s is scaled and written in its unit (case %#)', (measure, input, value, text) => {
    const { scale, format } = getMeasureFormat(measure, input)
    expect(format(scale(value)).replaceAll('\u00a0', ' ')).toBe(text)
    expect(format(null)).toBe('n/a')
  })

  it('has the total, the series and the compared total in the currency', () => {
    const measures = ['payments', 'revenue'] as const
    const tile = revenueTile(
      context,
      compared,
      { measures, response: testResponse({ comparison }), measure: 'revenue' },
      t,
    )
    expect(tile).toMatchObject({
      label: 'Revenue',
      value: 195.5,
      history: [195.5, null],
      comparisons: [{ key: 'compared', value: 9 }],
    })
    const alone = revenueTile(
      context,
      {},
      { measures, response: testResponse({ comparison }), measure: 'payments' },
      t,
    )
    expect(alone.value).toBe(7)
    expect(alone.comparisons).toBeUndefined()
  })
})

describe('revenue by time', () => {
  it('marks the unfinished day, and has a gap for unknown values', () => {
    expect(revenueTimeChart(context, {}, { response: testResponse(), index: 1 }, t)).toEqual({
      kind: 'bar',
      axis: { title: 'Day', labels: ['Jun 19, 2026', 'Jun 20, 2026'], inProgressIndex: 1 },
      series: [{ key: 'revenue', name: 'Revenue', values: [195.5, null] }],
    })
  })

  it('names weeks and months, and draws the compared period behind', () => {
    const chart = revenueTimeChart(
      context,
      { grain: 'week', ...compared },
      { response: testResponse({ comparison }), index: 1 },
      t,
    )
    expect(chart.axis.title).toBe('Week')
    expect(chart.axis.labels[0]).toBe('Week of Jun 19, 2026')
    expect(chart.before?.series[0]?.values).toEqual([9])
    const months = revenueTimeChart(context, { grain: 'month' }, { response: testResponse(), index: 1 }, t)
    expect(months.axis.labels[1]).toBe('June 2026')
  })

  it('marks weeks and months that the period or the present cuts off', () => {
    const axisOf = (grain: 'week' | 'month', start: string, end: string, times: readonly string[]) => {
      const rows = times.map((time) => ({ keys: [time], values: [1, 100] }))
      const period = { start_date: start, end_date: end, rows, totals: [2, 200] }
      return revenueTimeChart(context, { grain }, { response: testResponse({ period }), index: 1 }, t).axis
    }
    expect(axisOf('week', '2026-06-10', '2026-06-20', ['2026-06-08', '2026-06-15'])).toMatchObject({
      dataStart: 'Jun 10',
      inProgressIndex: 1,
    })
    expect(axisOf('month', '2026-05-01', '2026-06-20', ['2026-05-01', '2026-06-01'])).toMatchObject({
      dataStart: undefined,
      inProgressIndex: 1,
    })
    expect(axisOf('week', '2026-06-01', '2026-06-14', ['2026-06-01', '2026-06-08'])).toMatchObject({
      dataStart: undefined,
      inProgressIndex: undefined,
    })
  })
})

describe('the line about the data', () => {
  const lineOf = (overrides: Partial<PaymentResponse>): string =>
    formatFreshness(context, testResponse(overrides), t).replaceAll(/[\u2009\u202f]/g, ' ')

  it('states by which time amounts count, and the newest payment in the time zone of the region', () => {
    expect(lineOf({})).toBe(
      'Port Meridian · Jun 19 – 20, 2026 · by the time of the payment · newest payment Jun 20, 2026, 11:30 AM',
    )
  })

  it('has the amount without a zone, and what is still being prepared', () => {
    expect(lineOf({ basis: 'parked', unlinked_revenue: 1205, pending_days: 1 })).toMatch(
      /by the time at which the parking begins · .* · \$12\.05 at locations without a curb zone · 1 day is being prepared$/,
    )
  })

  it('reports missing payments only if none are counted', () => {
    const { period } = testResponse()
    expect(lineOf({ newest_payment: null, period: { ...period, rows: [] } })).toContain('no payments yet')
    expect(lineOf({ newest_payment: null })).not.toContain('no payments yet')
  })
})
