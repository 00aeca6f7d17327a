import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import i18next from 'i18next'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { OccupancyResponse, ZoneOccupancy } from '#contract/curb-occupancy.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { loadRoomTexts, startI18n } from '#web/i18n/start-i18n.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import { geographyResponses } from '#web/map-page/test-geography.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn, testRegion } from '#web/shell/test-responses.ts'
import { occupancyDashboard } from './occupancy-dashboard.tsx'
import { OccupancyScreen } from './occupancy-screen.tsx'
import { toOccupancyQuery } from './occupancy-search.ts'

const api = '/v2/regions/port-meridian'
const insights = `${api}/curb_parking_insights`
const address = '/port-meridian/curb/parking-insights/occupancy'
const period = 'start_date=2026-05-01&end_date=2026-05-28'

const figure = { occupied_hours: 30, known_hours: 40, open_hours: 80, occupancy: 0.75, coverage: 0.5 }
const makeZone = (id: string, overrides: Partial<ZoneOccupancy> = {}): ZoneOccupancy => ({
  ...figure,
  curb_zone_id: id,
  name: '',
  street_name: 'Main St',
  street_side: 'N',
  capacity: 4,
  capacity_basis: 'length',
  days: 12,
  source: 'sensor',
  is_over: false,
  interval: null,
  hours: Array.from({ length: 24 }, () => null),
  ...overrides,
})
const testResponse = (overrides: Partial<OccupancyResponse> = {}): OccupancyResponse => ({
  kind: 'measured',
  start_date: '2026-05-01',
  end_date: '2026-05-28',
  zones: [makeZone('z1', { name: 'Bay 1' })],
  total: { ...figure, interval: null },
  calendar: [{ ...figure, weekday: 7, hour: 9 }],
  targets: [],
  unknown_zones: 0,
  pending_days: 0,
  v: '1-1-1',
  ...overrides,
})

afterEach(() => vi.unstubAllGlobals())

async function renderDashboard(response = testResponse(), search = period, responses: Responses = {}) {
  const server = fakeServer({
    ...signedIn(),
    ...geographyResponses(),
    [`GET ${insights}/occupancy`]: () => response,
    [`GET ${insights}/occupancy/data_types`]: () => ({
      items: [
        { kind: 'measured', sources: ['sensor'], zones: 1, first_day: '2026-01-01', last_day: '2026-05-27' },
        { kind: 'paid', sources: ['payment'], zones: 1, first_day: '2026-01-01', last_day: '2026-05-28' },
      ],
    }),
    [`GET ${api}/curb/zone_choices`]: () => ({ items: [], total: 0, page: 1, size: 5000 }),
    ...responses,
  })
  const router = await renderApp(
    [
      {
        path: '/$regionId/curb/parking-insights/occupancy',
        title: 'shell:pages.occupancy',
        permission: 'signed_in',
        Screen: OccupancyScreen,
      },
    ],
    `${address}?${search}`,
  )
  await screen.findByRole('heading', { level: 1, name: 'Occupancy' })
  return {
    router,
    questions: () =>
      server.requests
        .filter(({ path }) => path === `${insights}/occupancy`)
        .map(({ query }) => Object.fromEntries(query)),
  }
}
const findRowOf = async (name: string) =>
  within(await screen.findByRole('table', { name: 'Occupancy by zone' }))
    .getByText(name)
    .closest('tr')

describe('the occupancy page', () => {
  it('shows the days it covers, the coverage, and the newest day of the kind', async () => {
    await renderDashboard(testResponse({ pending_days: 2 }))
    const line = await screen.findByText(/50% of the time known/)
    expect(line).toHaveTextContent(
      /Port Meridian · May 1.*28, 2026 · 50% of the time known · newest day May 27, 2026 · 2 days are being prepared/,
    )
  })

  it('lists zones by name, else by street and side, else by id; unknown values are not zero', async () => {
    await renderDashboard(
      testResponse({
        zones: [
          makeZone('z1', { name: 'Loading bay' }),
          makeZone('z2', { street_name: 'Dock Rd', street_side: 'S' }),
          makeZone('z3', {
            street_name: '',
            street_side: null,
            occupancy: null,
            capacity: null,
            capacity_basis: null,
            source: null,
          }),
        ],
      }),
    )
    expect(await findRowOf('Loading bay')).toHaveTextContent(
      'Loading bayMain St N75%50%4Length of the curbSensors12',
    )
    expect(await findRowOf('z3')).toHaveTextContent('z3n/an/a50%n/an/an/a12')
    const second = within(screen.getByRole('table', { name: 'Occupancy by zone' })).getAllByText('Dock Rd S')
    expect(second).toHaveLength(2)
  })

  it('offers the hours of the same question as CSV, and links to the counts', async () => {
    await renderDashboard(
      testResponse(),
      `${period}&kind=paid&days=[6,7]&hours=[8,20]&low=70&high=90&zones=["z1","z2"]`,
    )
    const link = await screen.findByRole('link', { name: 'CSV by hour' })
    const url = new URL(link.getAttribute('href') ?? '', 'http://localhost')
    expect(url.pathname).toBe(`${insights}/occupancy/by_hour`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      kind: 'paid',
      start_date: '2026-05-01',
      end_date: '2026-05-28',
      days: '6,7',
      start_time_hour: '8',
      end_time_hour: '19',
      zones: 'z1,z2',
      target_low: '0.7',
      target_high: '0.9',
    })
    expect(screen.getByRole('link', { name: 'Counts and calibration' })).toHaveAttribute(
      'href',
      `${address}/counts`,
    )
  })

  it('requests another target once it is entered, not while it is being typed', async () => {
    const { router, questions } = await renderDashboard()
    await findRowOf('Bay 1')
    const low = screen.getByLabelText('Target from')
    expect(low).toHaveValue('60%')
    const before = questions().length
    fireEvent.change(low, { target: { value: '65' } })
    expect(questions()).toHaveLength(before)
    fireEvent.blur(low)
    await waitFor(() => expect(questions().at(-1)).toMatchObject({ target_low: '0.65', target_high: '0.8' }))
    expect(router.state.location.search).toMatchObject({ low: 65 })
  })

  it('the occupancy page has no note on measured values', async () => {
    await renderDashboard()
    await findRowOf('Bay 1')
    expect(screen.queryByText('These values are estimates')).toBeNull()
    expect(screen.queryByText('Paid time is not occupancy')).toBeNull()
  })

  it('explains estimates, with their interval', async () => {
    await renderDashboard(
      testResponse({
        kind: 'estimated',
        total: { ...figure, interval: [0.6, 0.914] },
        zones: [makeZone('z1', { is_over: true })],
      }),
      `${period}&kind=estimated`,
    )
    expect(await screen.findByText('These values are estimates')).toBeInTheDocument()
    expect(screen.getAllByText('Estimates are at most 100% of each hour.').length).toBeGreaterThan(0)
  })

  it('shows why it cannot be loaded', async () => {
    await renderDashboard(testResponse(), period, {
      [`GET ${insights}/occupancy`]: () => new ErrorResponse(422, 'A period has at most 366 days.'),
    })
    expect(await screen.findByRole('alert')).toHaveTextContent('A period has at most 366 days.')
  })
})

describe('figures of occupancy', () => {
  beforeAll(async () => {
    await startI18n()
    await loadRoomTexts()
  })

  const { t } = i18next
  const search = { low: 70, high: 85 }
  const dashboard = occupancyDashboard({
    region: testRegion('port-meridian', 'Port Meridian'),
    today: '2026-06-20',
    language: 'en-US',
    at: 0,
    search,
    query: toOccupancyQuery(search, '2026-06-20'),
    change: () => {},
  })
  const getDataOf = (response: OccupancyResponse) => ({ search, response, types: { items: [] }, choices: [] })
  const getValuesOf = (response: OccupancyResponse) =>
    dashboard.tiles?.map((tile) => {
      const { value, format } = tile(getDataOf(response), t)
      return format(value ?? Number.NaN)
    })
  const getChartOf = (index: number, response: OccupancyResponse) =>
    dashboard.charts?.[index]?.(getDataOf(response), t)

  it('figures of occupancy include the total, its coverage, the zones with values and the zones above 100%', () => {
    const zones = [makeZone('z1', { is_over: true }), makeZone('z2'), makeZone('z3', { occupancy: null })]
    expect(getValuesOf(testResponse({ zones, unknown_zones: 1 }))).toEqual(['75%', '50%', '2', '1'])
  })

  it('figures of occupancy have an interval if they are estimated', async () => {
    const total = { ...figure, interval: [0.6, 0.914] as [number, number] }
    const tile = dashboard.tiles?.[0]?.(getDataOf(testResponse({ kind: 'estimated', total })), t)
    await renderPart(tile?.more)
    expect(screen.getByText('95% interval: 60% to 91%')).toBeInTheDocument()
    expect(dashboard.tiles?.[0]?.(getDataOf(testResponse()), t).more).toBeUndefined()
  })

  it('figures of occupancy are arranged by weekday and hour, Monday first; missing cells are unknown', () => {
    const response = testResponse({
      calendar: [
        { ...figure, weekday: 1, hour: 0, occupancy: 0, coverage: 1 },
        { ...figure, weekday: 7, hour: 23, occupancy: 1.2, coverage: 0.25 },
      ],
    })
    const getCalendarOf = (at: number) => {
      const chart = getChartOf(at, response)?.chart
      if (chart?.kind !== 'heat-calendar') throw new Error('This is no calendar')
      return chart.values
    }
    const occupancy = getCalendarOf(0)
    expect(occupancy.map((day) => day.length)).toEqual([24, 24, 24, 24, 24, 24, 24])
    expect([occupancy[0]?.[0], occupancy[6]?.[23], occupancy[3]?.[9]]).toEqual([0, 1.2, null])
    expect([getCalendarOf(1)[0]?.[0], getCalendarOf(1)[6]?.[23]]).toEqual([1, 0.25])
  })

  it('figures of occupancy include shares of zones by time band; a band without zones has none', () => {
    const response = testResponse({
      targets: [
        { band: 'a', from: 480, until: 665, under: 1, within: 2, over: 0, unknown: 1 },
        { band: 'b', from: 665, until: 1440, under: 0, within: 0, over: 0, unknown: 0 },
      ],
    })
    expect(getChartOf(2, response)?.chart).toMatchObject({
      kind: 'stacked-bar',
      axis: { labels: ['8:00 AM – 11:05 AM', '11:05 AM – 12:00 AM'] },
      series: [
        { key: 'under', values: [0.25, null] },
        { key: 'within', values: [0.5, null] },
        { key: 'over', values: [0, null] },
        { key: 'unknown', values: [0.25, null] },
      ],
    })
  })

  it('figures of occupancy name the target that they are compared with', () => {
    expect(getChartOf(2, testResponse())?.title).toBe('Zones compared with the target of 70 to 85%')
  })
})
