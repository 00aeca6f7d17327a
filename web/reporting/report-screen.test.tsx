import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import {
  type Distribution,
  type DistributionResponse,
  DistributionQuestion,
  type MeasureKey,
  measures,
  type MetricsResponse,
  MetricRecordsQuestion,
  MetricsQuestion,
} from '#contract/metrics.ts'
import { dayFromNumber, dayMs, dayNumber, localDay } from '#contract/period.ts'
import { ChartEngine } from '#web/charts/chart-drawing.tsx'
import type { DrawnChart } from '#web/charts/echarts-engine.ts'
import { fakeServer } from '#web/data/test-server.ts'
import { recordDownloads } from '#web/kit/test-downloads.ts'
import { testPolicy } from '#web/policies/test-policy.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { rememberUser } from '#web/shell/browser-storage.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { aSummary } from '#web/compliance/test-compliance.ts'
import { mapResponses } from '#web/map-page/test-map.ts'
import { aFeed, anIncident } from '#web/health/test-health.ts'
import { binsShown, shownMaps } from '#web/map/test-map-view.tsx'
import { ActivitySummaryScreen } from './activity-summary-screen.tsx'
import type { Dashboard } from './dashboard.tsx'
import * as distributions from './distributions-report.tsx'
import { dashboard as mobilityMetrics } from './mobility-metrics-report.tsx'
import { dashboard as parkingByDistrict } from './parking-time-by-district-report.tsx'
import { prefetchHome } from './home-questions.ts'
import { ReportScreen } from './report-screen.tsx'
import type { ReportContext, ReportSearch } from './report-search.ts'
import { dashboard as timeOfDay } from './time-of-day-report.tsx'
import { dashboard as tripCounts } from './trip-counts-report.tsx'

// jsdom has no canvas.
const engine = Promise.resolve({
  drawChart: (): DrawnChart => ({
    show: vi.fn<DrawnChart['show']>(),
    point: vi.fn<DrawnChart['point']>(),
    remove: vi.fn(),
    canvas: () => document.createElement('canvas'),
  }),
})
const getPageOf = <D,>(dashboard: (context: ReportContext) => Dashboard<ReportSearch, D>): ScreenEntry[] => [
  {
    path: '/$regionId/report',
    title: 'shell:pages.home',
    permission: 'signed_in',
    Screen: () => (
      <ChartEngine value={() => engine}>
        <ReportScreen dashboard={dashboard} />
      </ChartEngine>
    ),
  },
]

const requests: MetricsQuestion[] = []
let firstDay = '2020-01-01'
const distributed: DistributionQuestion[] = []
/** Values of each measure for Lark; those of Heron are unknown. */
const valueOf = (key: MeasureKey): number =>
  ({ trips: 12_345, distance_median: 1609.344, duration_median: 600, utilization: 0.25 })[key as string] ?? 7

function makeResponse(question: MetricsQuestion): MetricsResponse {
  const { dimensions, measures: keys, start_date, end_date } = question
  const key = { operator: 'lark', vehicle_type: 'bicycle', day: '2026-05-04', month: '2026-05-01' }
  const getKeysOf = (operator: string): string[] =>
    dimensions.map((dimension) =>
      dimension === 'operator' ? operator : ((key as Record<string, string>)[dimension] ?? '1'),
    )
  const values = keys.map(valueOf)
  const rows = [
    { keys: getKeysOf('lark'), values },
    ...(dimensions.includes('operator') ? [{ keys: getKeysOf('heron'), values: keys.map(() => null) }] : []),
  ]
  return {
    period: { start_date, end_date, rows, totals: values },
    comparison:
      question.compare_start_date && question.compare_end_date
        ? {
            start_date: question.compare_start_date,
            end_date: question.compare_end_date,
            rows: rows.slice(0, 1).map(({ keys: at }) => ({ keys: at, values: keys.map(() => 4) })),
            totals: keys.map(() => 4),
          }
        : null,
    methods: keys.map((measure) => ({ measure, ...measures[measure] })),
    parameters: {
      timezone: 'America/New_York',
      lost_after_hours: 48,
      operating_hours: { from: '06:00', until: '22:00' },
      parking_limit: 1440,
    },
    newest_fact: '2026-05-05T16:00:00.000Z',
    first_day: firstDay,
    unfinished_day: null,
    pending_days: 0,
    excluded_trips: 3,
    coverage: [
      { operator: 'heron', share: 0.5 },
      { operator: 'lark', share: 1 },
    ],
    without_fleet: [{ operator: 'heron', days: 2 }],
  }
}

/** Lark has four values: three in the first bin and one in the last. */
function makeDistribution({ bins, group_by: group }: DistributionQuestion): DistributionResponse {
  const all: Distribution = {
    key: '',
    n: 4,
    counts: bins.map((_, index) => (index === 0 ? 3 : index === bins.length - 1 ? 1 : 0)),
    mean: 7200,
    min: 60,
    lower_quartile: 1800,
    median: 3600,
    upper_quartile: 5400,
    p90: 9000,
    max: 900_000,
  }
  return {
    unit: 'seconds',
    total: all,
    groups: group === null ? [] : [{ ...all, key: group === 'operator' ? 'lark' : 'electric+human' }],
    excluded: 1,
    pending_days: 0,
  }
}

const makeResponses = () => ({
  ...signedIn(),
  ...mapResponses(),
  'POST /v2/regions/port-meridian/metrics/distribution': ({ body }: { body: unknown }) => {
    const question = DistributionQuestion.parse(body)
    distributed.push(question)
    return makeDistribution(question)
  },
  'GET /v2/regions/port-meridian/mds_status': () => ({
    as_of: '2026-05-05T16:00:00Z',
    items: [aFeed({ problem: 'Timed out', problem_since: '2026-05-05T10:00:00Z', state: 'failing' })],
  }),
  'GET /v2/regions/port-meridian/incidents': () => ({ items: [anIncident()], page: 1, size: 5, total: 1 }),
  'GET /v2/regions/port-meridian/policies/compliance/summary': () => ({
    data: [
      aSummary({ policyName: 'Kept', complianceData: {} }),
      aSummary({
        policyName: 'No parking at the pier',
        complianceData: {
          lark: { ...Object.values(aSummary().complianceData)[0]!, daysCount: 2 },
          heron: { ...Object.values(aSummary().complianceData)[0]!, daysCount: 1 },
        },
      }),
    ],
    start_date: '2026-04-28',
    end_date: '2026-05-04',
    today: '2026-05-05',
    as_of: '2026-05-05T15:50:00Z',
  }),
  'GET /v2/operators': () => ({
    items: [
      { slug: 'heron', name: 'Heron', colorHex: '#112233' },
      { slug: 'lark', name: 'Lark', colorHex: '#334455' },
    ],
    page: 1,
    size: 50,
    total: 2,
  }),
  'POST /v2/regions/port-meridian/metrics/query': ({ body }: { body: unknown }) => {
    const question = MetricsQuestion.parse(body)
    requests.push(question)
    return makeResponse(question)
  },
})

beforeEach(() => {
  firstDay = '2020-01-01'
  requests.length = 0
  distributed.length = 0
  fakeServer(makeResponses())
})

const getDistributionOf = (page: Parameters<typeof distributions.dashboard>[1]) => (context: ReportContext) =>
  distributions.dashboard(context, page)

const days = 'start_date=2026-05-04&end_date=2026-05-05'

it('shows trips and vehicles by operator and type, and marks unknown values', async () => {
  await renderApp(getPageOf(tripCounts), `/port-meridian/report?${days}&grain=week&method=max&days=%5B6%5D`)
  const table = within(await screen.findByRole('table', { name: 'Counts by operator and vehicle type' }))
  expect(table.getByRole('row', { name: /^Lark Electric Bike 12,345 7 / })).toBeVisible()
  expect(table.getByRole('row', { name: /^Heron Electric Bike n\/a n\/a/ })).toBeVisible()
  expect(
    screen.getByText(
      /12:00 PM · Feeds with gaps: Heron 50% of hours covered · No vehicles of Heron on some days/,
    ),
  ).toBeVisible()
  expect(
    requests.map(({ dimensions, days: weekdays, measures: [, second] }) => [dimensions, weekdays, second]),
  ).toEqual([
    [['week', 'operator'], [6], 'fleet_max'],
    [['operator', 'vehicle_type'], [6], 'trips_per_vehicle'],
  ])
  expect(screen.getByRole('figure', { name: 'Maximum vehicles by week' })).toBeVisible()
})

it('shows the compared period in charts and columns, with one count of vehicles', async () => {
  await renderApp(
    getPageOf(tripCounts),
    `/port-meridian/report?${days}&compare_start_date=2026-04-04&compare_end_date=2026-04-05`,
  )
  const table = within(await screen.findByRole('table', { name: 'Counts by operator and vehicle type' }))
  const heads = table
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent?.replaceAll('\u2009', ' '))
  expect(heads).toEqual([
    'Operator',
    'Vehicle type',
    'Trips',
    'Trips · Apr 4 – 5, 2026',
    'Trips per vehicle per day',
    'Trips per vehicle per day · Apr 4 – 5, 2026',
    'Average vehicles',
    'Average vehicles · Apr 4 – 5, 2026',
  ])
  expect(table.getByRole('row', { name: 'Lark Electric Bike 12,345 4 7 4 7 4' })).toBeVisible()
  expect(table.getByRole('row', { name: 'Heron Electric Bike n/a n/a n/a n/a n/a n/a' })).toBeVisible()
  const chart = within(screen.getByRole('figure', { name: 'Trips by day' }))
  expect(chart.getByRole('list', { name: 'Legend of Trips by day' })).toHaveTextContent(
    /Lark · Apr 4\s–\s5, 2026/,
  )
})

it('compares vehicles with the caps in effect, by operator if they differ', async () => {
  const cap = testPolicy({ policy_type: 'vehicle_cap', published: true, status: 'published', maximum: 900 })
  const caps = [
    cap,
    testPolicy({ ...cap, maximum: 5, operators: ['lark'], start_date: '2026-05-06' }),
    testPolicy({ ...cap, maximum: 700, operators: ['heron'], end_date: '2026-05-04' }),
  ]
  const { requests: calls } = fakeServer({
    ...makeResponses(),
    'POST /v2/policies/list': () => ({ data: caps, total: 3, page: 1, size: 300 }),
  })
  await renderApp(getPageOf(tripCounts), `/port-meridian/report?${days}`)
  const figure = within(await screen.findByRole('figure', { name: 'Average vehicles by day' }))
  await userEvent.click(figure.getByRole('button', { name: /table/i }))
  expect(figure.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('Permitted: Heron'),
      expect.stringContaining('Permitted: Lark'),
    ]),
  )
  expect(figure.getByRole('row', { name: /May 4, 2026.* 700 900$/ })).toBeVisible()
  expect(calls.find(({ path }) => path === '/v2/policies/list')?.body).toMatchObject({
    types: ['vehicle_cap'],
    statuses: ['published'],
  })
})

it('shows all metrics in the units of the region, and all four counts on request', async () => {
  const files = recordDownloads()
  await renderApp(getPageOf(mobilityMetrics), `/port-meridian/report?${days}`)
  const table = within(await screen.findByRole('table', { name: 'All metrics by operator' }))
  const row = table.getByRole('row', { name: /^Median trip distance/ })
  expect(row).toHaveTextContent('n/a')
  expect(row).toHaveTextContent('1 mi')
  expect(table.getByRole('row', { name: /^Utilization/ })).toHaveTextContent('25%')
  await userEvent.click(screen.getByRole('button', { name: 'Download' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'CSV' }))
  await waitFor(() => expect(files.get('mobility-metrics.csv')).toBeDefined())
  expect(await files.get('mobility-metrics.csv')!.text()).toMatch(/^Median trip distance \(mi\),1,,1,/m)
  expect(table.getAllByRole('row')).toHaveLength(Object.keys(measures).length + 1)
  expect(screen.getByRole('button', { name: /^Median trip duration\s*10\s*min/ })).toBeVisible()
})

it('names the column of totals by what they add up', async () => {
  const readHeads = async (search: string) => {
    await renderApp(getPageOf(mobilityMetrics), `/port-meridian/report?${days}${search}`)
    const table = within(await screen.findByRole('table', { name: 'All metrics by operator' }))
    const heads = table.getAllByRole('columnheader').map(({ textContent }) => textContent)
    cleanup()
    return heads
  }
  expect(await readHeads('')).toContain('City')
  const filtered = await readHeads('&operators=lark')
  expect(filtered).toContain('Chosen operators')
  expect(filtered).not.toContain('City')
})

it('shows the shares of areas and their census figures on request', async () => {
  fakeServer({
    ...makeResponses(),
    'GET /v2/regions/port-meridian/layers/6f1b1d1e-0000-4000-8000-000000000001/census': () => ({
      items: [{ shape_uuid: '6f1b1d1e-0000-4000-8000-00000000000a', pctNonwhite: 42, medianIncome: 51_000 }],
    }),
  })
  await renderApp(getPageOf(mobilityMetrics), `/port-meridian/report?${days}&shares=true`)
  const table = within(await screen.findByRole('table', { name: 'Shares by area' }))
  // 30 in Harbour, 12 in Mill and 8 outside.
  expect(table.getByRole('row', { name: 'Harbour 60% 60% 60% 42% 51,000' })).toBeVisible()
  expect(table.getAllByRole('row').at(-1)).toHaveTextContent(/^Outside all districts16%16%16%n\/an\/a$/)
})

it('opens the records behind a figure, page by page', async () => {
  const records: MetricRecordsQuestion[] = []
  fakeServer({
    ...makeResponses(),
    'POST /v2/regions/port-meridian/metrics/records': ({ body }) => {
      const question = MetricRecordsQuestion.parse(body)
      records.push(question)
      return {
        kind: 'trips',
        total: 51,
        page: question.page,
        size: question.size,
        items: [
          {
            operator: 'lark',
            vehicle_id: `LK-${question.page}`,
            vehicle_type: 'bicycle',
            from_time: '2026-05-04T12:00:00.000Z',
            until_time: '2026-05-04T12:10:00.000Z',
            state: '',
            distance_m: 1609.344,
            duration_s: 600,
            is_excluded: false,
          },
        ],
      }
    },
  })
  await renderApp(getPageOf(mobilityMetrics), `/port-meridian/report?${days}&operators=lark`)
  await userEvent.click(await screen.findByRole('button', { name: /^Trips\s*12,345/ }))
  await userEvent.click(await screen.findByRole('link', { name: 'Show records' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Records: Trips' }))
  expect(await dialog.findByRole('row', { name: /May 4, 2026, 8:00 AM.*Lark LK-1 .* 1 10/ })).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: 'Next' }))
  expect(await dialog.findByRole('row', { name: /LK-2/ })).toBeVisible()
  expect(records.map(({ page, operators, measure }) => [page, operators, measure])).toEqual([
    [1, ['lark'], 'trips'],
    [2, ['lark'], 'trips'],
  ])
  await userEvent.keyboard('{Escape}')
  await vi.waitFor(() => expect(screen.queryByRole('dialog', { name: 'Records: Trips' })).toBeNull())
})

it('shows only the four counts of vehicles if they are compared', async () => {
  await renderApp(getPageOf(mobilityMetrics), `/port-meridian/report?${days}&methods=true`)
  const table = within(await screen.findByRole('table', { name: 'All metrics by operator' }))
  expect(table.getAllByRole('row')).toHaveLength(5)
  expect(table.getByRole('row', { name: /^Maximum hourly average/ })).toBeVisible()
})

it('shows the week by hour and the months', async () => {
  await renderApp(getPageOf(timeOfDay), `/port-meridian/report?${days}&hours=%5B6%2C10%5D`)
  expect(await screen.findByRole('figure', { name: 'Trips by hour and weekday' })).toBeVisible()
  const months = within(screen.getByRole('figure', { name: 'Trips by month' }))
  await userEvent.click(months.getByRole('button', { name: /table/i }))
  expect(months.getByRole('row', { name: /^May 2026 \(from May 4\)/ })).toBeVisible()
  expect(requests.map(({ dimensions, hour_filters: hours }) => [dimensions, hours])).toEqual([
    [
      ['day_of_week', 'hour_of_day'],
      [6, 9],
    ],
    [
      ['month', 'operator'],
      [6, 9],
    ],
  ])
})

it('shows the distribution of trips in the units of the region', async () => {
  await renderApp(
    getPageOf(getDistributionOf('tripDuration')),
    `/port-meridian/report?${days}&group=operator`,
  )
  const table = within(await screen.findByRole('table', { name: 'Summary by group' }))
  // The response is in seconds, the table in minutes.
  expect(table.getByRole('row', { name: /^Lark 4 120 30 60 90 150 15,000/ })).toBeVisible()
  expect(screen.getByRole('figure', { name: 'Trips by duration' })).toBeVisible()
  expect(screen.getByRole('figure', { name: 'Trip duration: middle half of trips' })).toBeVisible()
  expect(distributed[0]).toMatchObject({ value: 'trip_duration', group_by: 'operator' })
  expect(distributed[0]?.bins.slice(0, 3)).toEqual([0, 300, 600])
  expect(screen.getByRole('combobox', { name: 'Dashboard' })).toHaveValue('tripDuration')
})

it('groups distances by technology, in miles', async () => {
  await renderApp(getPageOf(getDistributionOf('tripDistanceByTech')), `/port-meridian/report?${days}`)
  const table = within(await screen.findByRole('table', { name: 'Summary by group' }))
  expect(table.getByRole('row', { name: /^electric \+ human 4 4.47/ })).toBeVisible()
  expect(distributed[0]).toMatchObject({ value: 'trip_distance', group_by: 'propulsion_type' })
  expect(distributed[0]?.bins[4]).toBeCloseTo(1609.344)
})

it('shows parked time with the share over each limit, and links to the same map', async () => {
  await renderApp(
    getPageOf(getDistributionOf('parkingTime')),
    `/port-meridian/report?${days}&operators=lark&parking_limit=2880`,
  )
  expect(await screen.findByRole('figure', { name: 'Parking events over each limit' })).toBeVisible()
  // Both questions by time have the limit.
  expect(requests.map(({ parking_limit }) => parking_limit)).toEqual([2880, 2880])
  const link = screen.getByRole('link', { name: 'Show on the parking map' })
  const to = new URL(link.getAttribute('href')!, 'http://localhost')
  expect(to.pathname).toBe('/port-meridian/mobility/maps/parking')
  expect(Object.fromEntries(to.searchParams)).toMatchObject({
    operators: '["lark"]',
    parked_duration: '2880',
    start_date: '2026-05-04',
  })
})

it('ranks areas by their share of parking events over the limit', async () => {
  await renderApp(getPageOf(parkingByDistrict), `/port-meridian/report?${days}`)
  const table = within(await screen.findByRole('table', { name: 'Parking events by area' }))
  const rows = table.getAllByRole('row').map((row) => row.textContent)
  expect(rows[1]).toMatch(/^Harbour3030100%0.5/)
  expect(rows[3]).toMatch(/^Outside all districts88100%/)
  expect(screen.getByRole('figure', { name: 'Share of parking events over 24 hours by area' })).toBeVisible()
  await vi.waitFor(() =>
    expect(binsShown(shownMaps.get('Map of parking events over the limit'))).toHaveLength(2),
  )
})

it('schedules a report with the filters of the page', async () => {
  fakeServer({ ...makeResponses(), 'GET /v2/regions/port-meridian/report_schedules': () => ({ items: [] }) })
  const filters = 'operators=%5B"lark"%5D&hours=%5B7,10%5D&parking_limit=2880'
  await renderApp(getPageOf(getDistributionOf('parkingTime')), `/port-meridian/report?${days}&${filters}`)
  await userEvent.click(await screen.findByRole('button', { name: 'Schedule' }))
  await userEvent.click(await screen.findByText('Add schedule'))
  const text = /^Filters: Lark · 7:00.AM–10:00.AM · parked over 48 hours$/
  expect(await screen.findByText(text)).toBeInTheDocument()
})

const homePage = getPageOf(tripCounts).map((entry) => ({
  ...entry,
  path: '/$regionId/home',
  Screen: ActivitySummaryScreen,
}))
it('shows activity and what needs attention on Home', async () => {
  await renderApp(homePage, '/port-meridian/home?period=last_30_days')
  expect(await screen.findByRole('button', { name: /^Trips\s*12,345/ })).toBeVisible()
  // Compared with the previous period and the year before, which have the same number.
  expect(await screen.findByRole('button', { name: /^Compliance issues\s*2.*0%.*0%/ })).toBeVisible()
  const compliance = within(screen.getByRole('region', { name: 'Compliance' }))
  expect(await compliance.findByText(/No parking at the pier/)).toHaveTextContent('Lark, Heron')
  expect(compliance.getByText('3 operator days with violations')).toBeVisible()
  expect(compliance.getByText(/^Two operators with violations on one day are two/)).toBeVisible()
  expect(compliance.queryByText(/Kept/)).not.toBeInTheDocument()
  const feeds = within(screen.getByRole('region', { name: 'Feeds' }))
  expect(await feeds.findByText('0 of 1 on time')).toBeVisible()
  expect(feeds.getByText('Timed out')).toBeVisible()
  expect(within(screen.getByRole('region', { name: 'Open incidents' })).getByText(/Swift feed/)).toBeVisible()
  // A region without policies shows that step.
  expect(within(screen.getByRole('region', { name: /^Set up/ })).getAllByRole('link')).toHaveLength(1)
  await vi.waitFor(() => expect(binsShown(shownMaps.get('Map of trip origins'))).toHaveLength(2))
  const [current, year] = requests
  expect((Date.parse(current!.end_date) - Date.parse(current!.start_date)) / dayMs).toBe(29)
  expect(current!.compare_end_date! < current!.start_date).toBe(true)
  expect(Number(current!.end_date.slice(0, 4)) - Number(year!.end_date.slice(0, 4))).toBe(1)
})

it('shows no change on Home and on a dashboard from a period that data does not cover', async () => {
  firstDay = dayFromNumber(dayNumber(localDay(new Date(), 'America/New_York')) - 10)
  fakeServer({
    ...makeResponses(),
    'GET /v2/regions/port-meridian/fees/summary': () => ({
      months: [{ operator: 'lark', month: '2026-05-01', currency: 'USD', accrued: '10.10' }],
    }),
  })
  await renderApp(homePage, '/port-meridian/home')
  const incomplete = /^Trips\s*12,345Incomplete data for .*No data for /
  expect(await screen.findByRole('button', { name: incomplete })).toBeVisible()
  const compliance = /^Compliance issues\s*2Incomplete data for .*No data for /
  expect(await screen.findByRole('button', { name: compliance })).toBeVisible()
  const fees = /^Fees this month.*(Incomplete|No) data for same days of .*No data for same days of /
  expect(await screen.findByRole('button', { name: fees })).toBeVisible()
  cleanup()
  firstDay = '2026-05-03'
  await renderApp(
    getPageOf(mobilityMetrics),
    `/port-meridian/report?${days}&compare_start_date=2026-05-02&compare_end_date=2026-05-03`,
  )
  const tile = /^Trips\s*12,345Incomplete data for May 2.–.3, 2026$/
  expect(await screen.findByRole('button', { name: tile })).toBeVisible()
})

it('shows compliance on Home while measures are computed, without repeating prefetched requests', async () => {
  history.replaceState(null, '', '/port-meridian/home?period=last_30_days')
  const { requests: calls } = fakeServer({
    ...makeResponses(),
    'POST /v2/regions/port-meridian/metrics/query': () => new Promise(() => undefined),
  })
  rememberUser({ ...signedIn()['GET /v2/users/me'](), providerData: [] })
  await renderApp(
    homePage.map((entry) => ({ ...entry, prefetch: prefetchHome })),
    '/port-meridian/home?period=last_30_days',
  )
  expect(await screen.findByRole('button', { name: /^Compliance issues\s*2/ })).toBeVisible()
  expect(await screen.findByText(/Past days as of May 5, 2026, 11:50/)).toBeVisible()
  const counts = ['metrics/query', 'compliance/summary', '/mds_status', '/incidents'].map(
    (end) => calls.filter(({ path }) => path.endsWith(end)).length,
  )
  expect(counts).toEqual([1, 1, 1, 1])
})
