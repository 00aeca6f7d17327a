import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import type { StationReport, StationRow } from '#contract/bikeshare.ts'
import { ChartEngine } from '#web/charts/chart-drawing.tsx'
import type { DrawnChart } from '#web/charts/echarts-engine.ts'
import { fakeServer } from '#web/data/test-server.ts'
import { mapResponses } from '#web/map-page/test-map.ts'
import { binsShown, lastMap, shownMaps } from '#web/map/test-map-view.tsx'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { ReportScreen } from '../report-screen.tsx'
import { dashboard as bikeshareStations } from './bikeshare-stations-report.tsx'

// jsdom has no canvas.
const engine = Promise.resolve({
  drawChart: (): DrawnChart => ({
    show: vi.fn<DrawnChart['show']>(),
    point: vi.fn<DrawnChart['point']>(),
    remove: vi.fn(),
    canvas: () => document.createElement('canvas'),
  }),
})
const screens: ScreenEntry[] = [
  {
    path: '/$regionId/report',
    title: 'reporting:pages.bikeshareStations',
    permission: 'signed_in',
    Screen: () => (
      <ChartEngine value={() => engine}>
        <ReportScreen dashboard={bikeshareStations} />
      </ChartEngine>
    ),
  },
]

const figures = {
  window_minutes: 960,
  known_minutes: 900,
  unknown_minutes: 60,
  installed_minutes: 900,
  renting_minutes: 880,
  returning_minutes: 880,
  empty_minutes: 90,
  full_minutes: 45,
  longest_empty_minutes: 40,
  longest_full_minutes: 20,
  empty_or_full_share: 0.15,
  runs_beyond_tolerance: 3,
  minutes_beyond_tolerance: 70,
  penalty: null,
  vehicles_disabled_mean: 0.5,
  starts: 12,
  ends: 10,
  net_flow: -2,
  turnover_per_dock: 0.73,
  coverage: 0.9375,
}
const pier: StationRow = {
  operator: 'lark',
  feed_id: 'f',
  station_id: '1',
  station: 'Pier',
  lon: -76.3,
  lat: 36.8,
  capacity: 15,
  ...figures,
  last_report_age_minutes: 7,
}
/** A station whose feed lacks docks and position. */
const market: StationRow = {
  ...pier,
  station_id: '2',
  station: 'Market',
  lon: null,
  lat: null,
  capacity: null,
  full_minutes: null,
  longest_full_minutes: null,
  empty_or_full_share: 0,
  turnover_per_dock: null,
}
const report = (price: string | null, stations = [pier, market]): StationReport => ({
  start_date: '2026-05-04',
  end_date: '2026-05-05',
  parameters: {
    timezone: 'America/New_York',
    window_from: '06:00',
    window_until: '22:00',
    tolerance: 10,
    price_per_minute: price,
    currency: 'USD',
    known_minutes: 10,
  },
  systems: [{ operator: 'lark', feed_id: 'f', flow_source: 'counts' }],
  stations: stations.map((station) => ({ ...station, penalty: price && '70.00' })),
  totals: { stations: stations.length, capacity: 15, ...figures, penalty: price && '140.00' },
  days: [
    {
      date: '2026-05-04',
      known_minutes: 900,
      empty_minutes: 90,
      full_minutes: 45,
      empty_share: 0.1,
      full_share: 0.05,
    },
    {
      date: '2026-05-05',
      known_minutes: 0,
      empty_minutes: 0,
      full_minutes: 0,
      empty_share: null,
      full_share: null,
    },
  ],
  newest_poll: '2026-05-05T16:00:00.000Z',
})

const requests: URLSearchParams[] = []
let stations = [pier, market]
beforeEach(() => {
  requests.length = 0
  stations = [pier, market]
  fakeServer({
    ...signedIn(),
    ...mapResponses(),
    'GET /v2/operators': () => ({
      items: [{ slug: 'lark', name: 'Lark', colorHex: '#334455' }],
      page: 1,
      size: 50,
      total: 1,
    }),
    'GET /v2/regions/port-meridian/reports/bikeshare/stations': ({ query }: { query: URLSearchParams }) => {
      requests.push(query)
      return report(query.get('price_per_minute'), stations)
    },
  })
})

const days = 'start_date=2026-05-04&end_date=2026-05-05'
const renderReport = (search = '') => renderApp(screens, `/port-meridian/report?${days}${search}`)

it('shows figures, stations and their map, and marks what the feed does not report', async () => {
  await renderReport()
  const table = within(await screen.findByRole('table', { name: 'Stations' }))
  expect(
    table.getByRole('row', { name: /^Pier 15 900 880 880 90 45 60 40 20 15% 3 70 0\.5 12 10 -2/ }),
  ).toBeVisible()
  expect(table.getByRole('row', { name: /^Market n\/a 900 880 880 90 n\/a 60 40 n\/a 0%/ })).toBeVisible()
  expect(
    screen.getByText(/6:00 AM to 10:00 PM · Data up to May 5, 2026.* · 6\.3% of the time is unknown/),
  ).toBeVisible()
  expect(screen.getByRole('button', { name: /^Empty\s*10%/ })).toBeVisible()
  expect(screen.getByRole('button', { name: /^Penalty\s*n\/a\s*Enter a price per minute/ })).toBeVisible()
  expect(screen.getByRole('figure', { name: 'Empty and full time by day' })).toBeVisible()
  // A station without a position is not on the map.
  await vi.waitFor(() => expect(binsShown(shownMaps.get('Map of stations'))).toEqual([0]))
  lastMap()?.onSelect('lark/f/1')
  expect(await table.findByRole('button', { name: 'Pier', pressed: true })).toBeVisible()
})

it('requests the terms of the contract once each is complete', async () => {
  await renderReport('&tolerance=15')
  const price = await screen.findByLabelText('Price per minute (USD)')
  await userEvent.type(price, '0.25{Enter}')
  expect(await screen.findByRole('button', { name: /^Penalty\s*\$140\.00/ })).toBeVisible()
  const from = screen.getByLabelText('Window from')
  await userEvent.clear(from)
  await userEvent.type(from, '23:00{Enter}')
  expect(await screen.findByText('The window must end after it begins.')).toBeVisible()
  await userEvent.clear(from)
  await userEvent.type(from, '7{Enter}')
  await vi.waitFor(() =>
    expect(Object.fromEntries(requests.at(-1) ?? [])).toEqual({
      start_date: '2026-05-04',
      end_date: '2026-05-05',
      window_from: '07:00',
      window_until: '22:00',
      tolerance: '15',
      price_per_minute: '0.25',
    }),
  )
})

it('explains which data is missing', async () => {
  stations = []
  await renderReport()
  expect(await screen.findByText('No stations in this period')).toBeVisible()
})
