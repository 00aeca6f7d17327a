import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Calibration } from '#contract/curb-calibration.ts'
import type { CountImport } from '#contract/curb-counts.ts'
import type { OccupancyResponse, ZoneOccupancy } from '#contract/curb-occupancy.ts'
import { fakeServer } from '#web/data/test-server.ts'
import { geographyResponses } from '#web/map-page/test-geography.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { CountsScreen } from './counts-screen.tsx'
import { OccupancyScreen } from './occupancy-screen.tsx'

// The map needs WebGL.
vi.mock('#web/map/map-view.tsx', () => ({ MapView: ({ title }: { title: string }) => <div>{title}</div> }))

const path = '/port-meridian/curb/parking-insights/occupancy'
const entry = (suffix: string, Screen: ScreenEntry['Screen']): ScreenEntry => ({
  path: `/$regionId/curb/parking-insights/occupancy${suffix}`,
  title: 'shell:pages.occupancy',
  permission: 'signed_in',
  Screen,
})

const figure = { occupied_hours: 30, known_hours: 40, open_hours: 80 }
const zone: ZoneOccupancy = {
  ...figure,
  curb_zone_id: 'z1',
  name: 'Zone 1',
  street_name: 'Main St',
  street_side: 'N',
  occupancy: 0.75,
  coverage: 0.5,
  capacity: 4,
  capacity_basis: 'marked',
  days: 12,
  source: 'payment',
  is_over: true,
  interval: null,
  hours: Array.from({ length: 24 }, (_, hour) => (hour === 9 ? 1.2 : null)),
}
const testResponse = (overrides: Partial<OccupancyResponse> = {}): OccupancyResponse => ({
  kind: 'paid',
  start_date: '2026-05-01',
  end_date: '2026-05-28',
  zones: [zone],
  total: { ...figure, occupancy: 0.75, coverage: 0.5, interval: null },
  calendar: [{ ...figure, weekday: 1, hour: 9, occupancy: 0.75, coverage: 0.5 }],
  targets: [{ band: '480-660', from: 480, until: 660, under: 1, within: 2, over: 1, unknown: 0 }],
  unknown_zones: 0,
  pending_days: 0,
  v: '1-1-1',
  ...overrides,
})
const counts: CountImport = {
  import_id: '11111111-ceea-467f-a0e6-7a1d2b3c4d5e',
  file_name: 'survey.csv',
  status: 'staged',
  problem: null,
  layout: 'survey',
  options: {},
  needs: [],
  rows: 384,
  accepted: 300,
  rejected: 84,
  codes: { unknown_place: 84 },
  first_day: '2026-05-05',
  last_day: '2026-05-05',
  places: 22,
  matched_places: 18,
  matched_share: 0.78,
  profile: [],
  created_by: 'ann@city.example',
  created_time: '2026-05-06T12:00:00.000Z',
  published_time: null,
  undone_time: null,
  same_as: null,
}
const calibration: Calibration = {
  calibration_id: '21111111-ceea-467f-a0e6-7a1d2b3c4d5e',
  name: 'Spring survey',
  zone_ids: null,
  bands: [{ key: '08:00 – 11:00', from: 480, until: 660 }],
  day_types: [{ key: 'weekday', weekdays: [1, 2, 3, 4, 5] }],
  start_date: '2026-05-05',
  end_date: '2026-05-05',
  cells: [
    {
      band: '08:00 – 11:00',
      day_type: 'weekday',
      k: 1.62,
      interval: [1.4, 1.9],
      n: 18,
      counted_hours: 162,
      paid_hours: 100,
    },
  ],
  valid_from: '2024-05-05',
  valid_until: '2028-05-06',
  is_expired: false,
  expired: null,
  created_by: 'ann@city.example',
  created_time: '2026-05-06T12:00:00.000Z',
}

const api = '/v2/regions/port-meridian'
const insights = `${api}/curb_parking_insights`
function renderScreen(address: string, response = testResponse()) {
  const server = fakeServer({
    ...signedIn(),
    ...geographyResponses(),
    [`GET ${insights}/occupancy`]: () => response,
    [`GET ${insights}/occupancy/data_types`]: () => ({
      items: [
        { kind: 'paid', sources: ['payment'], zones: 1, first_day: '2026-01-01', last_day: '2026-05-28' },
      ],
    }),
    [`GET ${api}/curb/zone_choices`]: () => ({ items: [], total: 0, page: 1, size: 5000 }),
    [`GET ${api}/curb/count_imports`]: () => ({ items: [counts], total: 1, page: 1, size: 50 }),
    [`GET ${api}/curb/calibrations`]: () => ({ items: [calibration] }),
  })
  return renderApp([entry('', OccupancyScreen), entry('/counts', CountsScreen)], address).then(() => server)
}

afterEach(() => vi.unstubAllGlobals())

describe('the occupancy page', () => {
  it('requests the kind in the URL, and shows the coverage', async () => {
    const { requests } = await renderScreen(
      `${path}?kind=paid&start_date=2026-05-01&end_date=2026-05-28&hours=[8,20]&days=[1,2]&low=70&high=85`,
    )
    expect(await screen.findByRole('heading', { level: 1, name: 'Occupancy' })).toBeInTheDocument()
    expect(await screen.findByText('Paid time is not occupancy')).toBeInTheDocument()
    const request = requests.findLast(({ path: at }) => at === `${insights}/occupancy`)
    expect(Object.fromEntries(request?.query ?? [])).toMatchObject({
      kind: 'paid',
      start_date: '2026-05-01',
      end_date: '2026-05-28',
      start_time_hour: '8',
      end_time_hour: '19',
      days: '1,2',
      target_low: '0.7',
      target_high: '0.85',
    })
    expect(screen.getByText(/50% of the time known/)).toBeInTheDocument()
    const row = within(screen.getByRole('table', { name: 'Occupancy by zone' }))
      .getByText('Zone 1')
      .closest('tr')
    expect(row).toHaveTextContent('75%')
    expect(row).toHaveTextContent('Marked spaces')
    expect(row).toHaveTextContent('Payments')
  })

  it('explains what is missing if there is no data of the kind', async () => {
    await renderScreen(path, testResponse({ kind: 'measured', zones: [] }))
    expect(await screen.findByText('No occupancy of this kind in this period')).toBeInTheDocument()
  })
})

describe('counts and calibrations', () => {
  it('lists files with their results, and ratios with their interval', async () => {
    await renderScreen(`${path}/counts`)
    const file = (await screen.findByRole('link', { name: 'survey.csv' })).closest('tr')
    expect(file).toHaveTextContent('Survey')
    expect(file).toHaveTextContent('78%')
    const table = within(await screen.findByRole('table', { name: 'Spring survey' }))
    const row = table.getByText('8:00 AM – 11:00 AM').closest('tr')
    expect(row).toHaveTextContent('1.62')
    expect(row).toHaveTextContent('1.4 – 1.9')
  })

  it('records a change of enforcement', async () => {
    const { requests } = await renderScreen(`${path}/counts`)
    await userEvent.click(await screen.findByRole('button', { name: 'Record a change' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Record change' }))
    expect(requests.map((row) => row.path)).toContain(`${api}/curb/calibrations/changes`)
  })
})
