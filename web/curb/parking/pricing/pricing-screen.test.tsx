import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PriceProposalDetail, ProposalRow } from '#contract/curb-price-proposals.ts'
import type { OccupancyTargetSummary, PricingRow } from '#contract/curb-pricing.ts'
import { ChartEngine } from '#web/charts/chart-drawing.tsx'
import type { DrawnChart } from '#web/charts/echarts-engine.ts'
import { fakeServer, type Responses } from '#web/data/test-server.ts'
import { geographyResponses } from '#web/map-page/test-geography.ts'
import { binsShown, shownMaps } from '#web/map/test-map-view.tsx'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { publicResponses, signedIn } from '#web/shell/test-responses.ts'
import { PublicRatesScreen } from '../../public-rates-screen.tsx'
import { getDefaultParameters } from './pricing-search.ts'
import { PricingScreen } from './pricing-screen.tsx'
import { ProposalScreen } from './proposal-screen.tsx'

// jsdom has no canvas.
const engine = Promise.resolve({
  drawChart: (): DrawnChart => ({
    show: vi.fn<DrawnChart['show']>(),
    point: vi.fn<DrawnChart['point']>(),
    remove: vi.fn(),
    canvas: () => document.createElement('canvas'),
  }),
})
const withCharts = (Screen: () => ReactNode) => () => (
  <ChartEngine value={() => engine}>
    <Screen />
  </ChartEngine>
)

const api = '/v2/regions/port-meridian'
const address = '/port-meridian/curb/parking-insights/pricing-engine'
const proposalId = '11111111-ceea-467f-a0e6-7a1d2b3c4d5e'
const entry = (path: string, Screen: ScreenEntry['Screen']): ScreenEntry => ({
  path: `/$regionId/curb/parking-insights/pricing-engine${path}`,
  title: 'shell:pages.pricingEngine',
  permission: 'signed_in',
  Screen,
})
const screens = [entry('', withCharts(PricingScreen)), entry('/$proposalId', withCharts(ProposalScreen))]

const row = (zone: string, proposed: number | null, more: Partial<PricingRow> = {}): PricingRow => ({
  curb_zone_id: zone,
  shape_name: `Main St ${zone}`,
  street_name: 'Main St',
  street_side: zone,
  bbox: [-79.9, 32.7, -79.89, 32.71],
  band: 'morning',
  day_type: 'weekday',
  current_rate: 200,
  occupancy: 0.9,
  kind: 'measured',
  interval: null,
  days: 40,
  coverage: 0.95,
  capacity: 10,
  proposed_rate: proposed,
  step: 2,
  limits: [],
  last_change: null,
  paid_hours: 15,
  ...more,
})
const rows = [row('N', 225), row('S', null, { occupancy: null, kind: null, limits: ['no_occupancy'] })]
const summary: OccupancyTargetSummary = {
  currency: 'USD',
  rows: 2,
  zones: 2,
  outcomes: { up: 1, down: 0, unchanged: 0, refused: 1 },
  histogram: [{ change: 25, rows: 1 }],
  limits: [{ limit: 'no_occupancy', rows: 1 }],
  targets: [{ band: 'morning', day_type: 'weekday', under: 0, in: 0, over: 1, unknown: 1 }],
  revenue: { rows: 1, before: 27_000, after: 29_322, low: 27_000, high: 30_375, elasticity: -0.3 },
}
const makePageOf = <Item,>(items: readonly Item[]) => ({ items, total: items.length, page: 1, size: 50 })
const proposalRow: ProposalRow = { ...row('N', 225), final_rate: 225, edit: null }
const makeProposal = (overrides: Partial<PriceProposalDetail> = {}): PriceProposalDetail => ({
  proposal_id: proposalId,
  name: 'Spring',
  status: 'open',
  effective_date: '2026-07-01',
  effective_time: null,
  created_time: '2026-06-01T12:00:00.000Z',
  created_by_email: 'planner@example.com',
  rows: 2,
  changes: 1,
  edits: 0,
  parameters: getDefaultParameters('2026-06-01'),
  steps: [{ act: 'created', time: '2026-06-01T12:00:00.000Z', by_email: 'planner@example.com', note: null }],
  findings: [
    { code: 'not_public', severity: 'warning', message: 'The table is not public.', rows: 0, examples: [] },
  ],
  summary,
  skipped: [],
  version: 0,
  ...overrides,
})

afterEach(() => vi.unstubAllGlobals())

async function renderScreen(path = '', responses: Responses = {}) {
  const server = fakeServer({
    ...signedIn(),
    ...geographyResponses(),
    [`POST ${api}/pricing_engine/occupancy_target`]: () => makePageOf(rows),
    [`POST ${api}/pricing_engine/occupancy_target/aggregated`]: () => summary,
    [`GET ${api}/curb/price_proposals`]: () => ({ items: [makeProposal()] }),
    [`GET ${api}/curb/price_proposals/${proposalId}`]: () => makeProposal(),
    [`POST ${api}/curb/price_proposals/${proposalId}/rows`]: () => makePageOf([proposalRow]),
    ...responses,
  })
  const router = await renderApp(screens, `${address}${path}`)
  return {
    router,
    last: (path: string) =>
      server.requests.findLast((request) => request.path === `${api}${path}`)?.body as
        | Record<string, unknown>
        | undefined,
  }
}

describe('rates by occupancy', () => {
  it('shows each block with rate, occupancy and proposal or reason, and a map of changes', async () => {
    const { last } = await renderScreen()
    const cell = await screen.findByText('Main St N')
    expect(cell.closest('[role=row], tr')).toHaveTextContent(/\$2\.00.*90.*measured.*\$2\.25.*\+\$0\.25/)
    expect(screen.getByText('Main St S').closest('[role=row], tr')).toHaveTextContent('occupancy unknown')
    expect(last('/pricing_engine/occupancy_target')).toMatchObject({
      parameters: { preset: 'san_francisco', floor: 50 },
    })
    expect(screen.getByText(/Assumes that every occupied space-hour/)).toBeInTheDocument()
    await waitFor(() =>
      expect(binsShown(shownMaps.get('Change of the rate · Morning · Weekdays'))).toEqual([0, -2]),
    )
  })

  it('names the values that a preset leaves open, and calculates once they are entered', async () => {
    const { router } = await renderScreen()
    // Queries by role are slow in a table of this size, so this finds elements by text.
    await screen.findByText('Main St N')
    // All columns are visible on a 1280-pixel screen.
    expect(
      Number.parseInt(screen.getByRole('table', { name: 'Proposed rates' }).style.minWidth),
    ).toBeLessThanOrEqual(1165)
    fireEvent.click(screen.getByLabelText('Preset', { selector: 'input' }))
    fireEvent.click(await screen.findByText('Washington DC'))
    expect(screen.getByText(/^Not in the source, your choice: Steps/)).toBeInTheDocument()
    expect(screen.getByText(/Steps 1: Enter by how much the rate changes/)).toBeInTheDocument()
    const calculate = screen.getByText('Calculate rates').closest('button')
    expect(calculate).toBeDisabled()
    const [first, , last] = screen.getAllByLabelText('Change per hour, USD')
    fireEvent.change(first!, { target: { value: '-0.5' } })
    fireEvent.change(last!, { target: { value: '0.5' } })
    fireEvent.click(calculate!)
    await waitFor(() =>
      expect(router.state.location.search).toMatchObject({
        parameters: { preset: 'washington_dc', steps: [{ change: -50 }, { change: 0 }, { change: 50 }] },
      }),
    )
  })
})

describe('a proposal', () => {
  it('a proposal is edited with a reason and approved with the version that the user saw', async () => {
    const { last } = await renderScreen(`/${proposalId}`, {
      [`POST ${api}/curb/price_proposals/${proposalId}/edit`]: () => makeProposal({ version: 1 }),
      [`POST ${api}/curb/price_proposals/${proposalId}/approve`]: () => makeProposal({ status: 'approved' }),
    })
    await userEvent.click(await screen.findByLabelText('Actions for Main St N'))
    const menu = within(await screen.findByRole('menu', { hidden: true }))
    await userEvent.click(menu.getByRole('menuitem', { hidden: true, name: 'Leave unchanged' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText(/Reason/), 'School')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(last(`/curb/price_proposals/${proposalId}/edit`)).toEqual({
        edits: [
          { curb_zone_id: 'N', band: 'morning', day_type: 'weekday', action: 'exclude', reason: 'School' },
        ],
      }),
    )
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
    const approval = within(await screen.findByRole('dialog'))
    await userEvent.click(approval.getByRole('button', { name: 'Approve' }))
    await waitFor(() =>
      expect(last(`/curb/price_proposals/${proposalId}/approve`)).toEqual({
        version: 0,
        effective_date: '2026-07-01',
        note: null,
      }),
    )
  })

  it('a proposal cannot be approved while it violates limits', async () => {
    await renderScreen(`/${proposalId}`, {
      [`GET ${api}/curb/price_proposals/${proposalId}`]: () =>
        makeProposal({
          findings: [
            { code: 'below_floor', severity: 'error', message: 'Below 1.00 USD.', rows: 3, examples: [] },
          ],
        }),
    })
    expect(await screen.findByText(/Below the lowest rate \(3\)/)).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Approve' })).toBeDisabled()
  })

  it('repeats its warnings where it is approved, with the other proposals and the number of other rows', async () => {
    const example = { curb_zone_id: 'N', shape_name: 'Main St N', band: 'morning', day_type: 'weekday' }
    await renderScreen(`/${proposalId}`, {
      [`GET ${api}/curb/price_proposals/${proposalId}`]: () =>
        makeProposal({
          changes: 30,
          findings: [
            {
              code: 'approved_elsewhere',
              severity: 'warning',
              message: 'Only the first takes effect.',
              rows: 17,
              examples: [example],
              proposals: [
                {
                  proposal_id: '22222222-ceea-467f-a0e6-7a1d2b3c4d5e',
                  name: 'Winter',
                  effective_date: '2026-06-15',
                  rows: 17,
                  zones: 3,
                },
              ],
            },
          ],
        }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Approve' }))
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent(
      'Also changed by an approved proposal (17)“Winter”, effective Jun 15, 2026: 3 blocks (17 of 30 changes)',
    )
    expect(dialog).toHaveTextContent(
      'Only the first takes effect. Main St N · Morning · Weekdays; and 16 more',
    )
  })

  it('a proposal is in the list with its status', async () => {
    await renderScreen('?mode=proposals')
    const link = await screen.findByRole('link', { name: 'Spring' })
    expect(link).toHaveAttribute('href', `${address}/${proposalId}`)
    expect(link.closest('tr, [role=row]')).toHaveTextContent('Open')
  })
})

it('the public page shows rates with the day of their last change, and announced changes', async () => {
  fakeServer({
    ...publicResponses({ has_public_rates: true }),
    'GET /v2/public/regions/port-meridian/curb/rates': () => ({
      currency: 'USD',
      day: '2026-06-20',
      items: [
        {
          curb_zone_id: 'N',
          shape_name: 'Main St N',
          lines: [{ days: [1, 2, 3, 4, 5], from: '09:00', until: '18:00', rate: 200 }],
          since: '2026-01-05',
        },
      ],
      total: 1,
      page: 1,
      size: 300,
      changes: [
        {
          proposal_id: proposalId,
          name: 'Spring',
          effective_date: '2026-07-01',
          is_announced: true,
          rows: [
            {
              curb_zone_id: 'N',
              shape_name: 'Main St N',
              days: [1, 2, 3, 4, 5],
              from: '00:00',
              until: '12:00',
              rate_before: 200,
              rate_after: 225,
            },
          ],
        },
      ],
    }),
  })
  const publicScreens: ScreenEntry[] = [
    {
      path: '/$regionId/public/rates',
      title: 'shell:pages.publicRates',
      permission: 'public',
      Screen: PublicRatesScreen,
    },
  ]
  await renderApp(publicScreens, '/port-meridian/public/rates')
  expect(await screen.findByRole('heading', { name: 'Announced: from Jul 1, 2026' })).toBeInTheDocument()
  expect(screen.getByText('$2.25 per hour')).toBeInTheDocument()
  expect(screen.getByText('Mon–Fri 9:00 AM–6:00 PM: $2.00 per hour')).toBeInTheDocument()
  expect(screen.getByText('Jan 5, 2026')).toBeInTheDocument()
})
