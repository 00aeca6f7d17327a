import { screen, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { type MeasureKey, measures, type MetricsAnswer, MetricsQuestion } from '#contract/metrics.ts'
import { ChartEngine } from '#web/charts/chart-drawing.tsx'
import type { DrawnChart } from '#web/charts/echarts-engine.ts'
import { fakeServer } from '#web/data/fake-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-replies.ts'
import type { Dashboard } from './dashboard.tsx'
import { mobilityMetrics } from './mobility-metrics.tsx'
import { ReportScreen } from './report-screen.tsx'
import type { ReportContext, ReportSearch } from './report.ts'
import { timeOfDay } from './time-of-day.tsx'
import { tripCounts } from './trip-counts.tsx'

// The page of tests has no canvas.
const engine = Promise.resolve({
  drawChart: (): DrawnChart => ({
    show: vi.fn<DrawnChart['show']>(),
    point: vi.fn<DrawnChart['point']>(),
    remove: vi.fn(),
    canvas: () => document.createElement('canvas'),
  }),
})
const pageOf = <D,>(dashboard: (context: ReportContext) => Dashboard<ReportSearch, D>): ScreenEntry[] => [
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

const asked: MetricsQuestion[] = []
/** Values of each measure for Lark; of Heron nothing is known. */
const valueOf = (key: MeasureKey): number =>
  ({ trips: 12_345, distance_median: 1609.344, duration_median: 600, utilization: 0.25 })[key as string] ?? 7

function answer(question: MetricsQuestion): MetricsAnswer {
  const { dimensions, measures: keys, start_date, end_date } = question
  const key = { operator: 'lark', vehicle_type: 'bicycle', day: '2026-05-04', month: '2026-05-01' }
  const keysOf = (operator: string): string[] =>
    dimensions.map((each) =>
      each === 'operator' ? operator : ((key as Record<string, string>)[each] ?? '1'),
    )
  const values = keys.map(valueOf)
  const rows = [
    { keys: keysOf('lark'), values },
    ...(dimensions.includes('operator') ? [{ keys: keysOf('heron'), values: keys.map(() => null) }] : []),
  ]
  return {
    period: { start_date, end_date, rows, totals: values },
    comparison: null,
    methods: keys.map((measure) => ({ measure, ...measures[measure] })),
    parameters: {
      timezone: 'America/New_York',
      lost_after_hours: 48,
      operating_hours: { from: '06:00', until: '22:00' },
      parking_limit: 1440,
    },
    newest_fact: '2026-05-05T16:00:00.000Z',
    unfinished_day: null,
    pending_days: 0,
    excluded_trips: 3,
    coverage: [
      { operator: 'heron', share: 0.5 },
      { operator: 'lark', share: 1 },
    ],
  }
}

beforeEach(() => {
  asked.length = 0
  fakeServer({
    ...signedIn(),
    'GET /v2/operators': () => ({
      items: [
        { slug: 'heron', name: 'Heron', colorHex: '#112233' },
        { slug: 'lark', name: 'Lark', colorHex: '#334455' },
      ],
      page: 1,
      size: 50,
      total: 2,
    }),
    'POST /v2/regions/port-meridian/metrics/query': ({ body }) => {
      const question = MetricsQuestion.parse(body)
      asked.push(question)
      return answer(question)
    },
  })
})

const days = 'start_date=2026-05-04&end_date=2026-05-05'

it('shows trips and vehicles by operator and type, with what is not known as such', async () => {
  await renderApp(pageOf(tripCounts), `/port-meridian/report?${days}&grain=week&method=max&days=%5B6%5D`)
  const table = within(await screen.findByRole('table', { name: 'Counts by operator and vehicle type' }))
  expect(table.getByRole('row', { name: /^Lark Electric Bike 12,345 7 / })).toBeVisible()
  expect(table.getByRole('row', { name: /^Heron Electric Bike n\/a n\/a/ })).toBeVisible()
  expect(
    screen.getByText(/Data up to May 5, 2026, 12:00 PM · Feeds with gaps: Heron 50% of hours/),
  ).toBeVisible()
  expect(
    asked.map(({ dimensions, days: weekdays, measures: [, second] }) => [dimensions, weekdays, second]),
  ).toEqual([
    [['week', 'operator'], [6], 'fleet_max'],
    [['operator', 'vehicle_type'], [6], 'trips_per_vehicle'],
  ])
  expect(screen.getByRole('figure', { name: 'Maximum vehicles by week' })).toBeVisible()
})

it('shows all metrics in the units of the region, and the four counts beside one another on request', async () => {
  await renderApp(pageOf(mobilityMetrics), `/port-meridian/report?${days}`)
  const table = within(await screen.findByRole('table', { name: 'All metrics by operator' }))
  const row = table.getByRole('row', { name: /^Median trip distance/ })
  expect(row).toHaveTextContent('n/a')
  expect(row).toHaveTextContent('1 mi')
  expect(table.getByRole('row', { name: /^Utilization/ })).toHaveTextContent('25%')
  expect(table.getAllByRole('row')).toHaveLength(Object.keys(measures).length + 1)
  expect(screen.getByRole('button', { name: /^Median trip duration\s*10\s*min/ })).toBeVisible()
})

it('shows only the four counts where they are compared', async () => {
  await renderApp(pageOf(mobilityMetrics), `/port-meridian/report?${days}&methods=true`)
  const table = within(await screen.findByRole('table', { name: 'All metrics by operator' }))
  expect(table.getAllByRole('row')).toHaveLength(5)
  expect(table.getByRole('row', { name: /^Maximum hourly average/ })).toBeVisible()
})

it('shows the week by hour and the months', async () => {
  await renderApp(pageOf(timeOfDay), `/port-meridian/report?${days}&hours=%5B6%2C10%5D`)
  expect(await screen.findByRole('figure', { name: 'Trips by hour and weekday' })).toBeVisible()
  expect(screen.getByRole('figure', { name: 'Trips by month' })).toBeVisible()
  expect(asked.map(({ dimensions, hour_filters: hours }) => [dimensions, hours])).toEqual([
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
