import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PriceProposalDetail } from '#contract/curb-price-proposals.ts'
import type { BackTest } from '#contract/curb-pricing.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { geographyResponses } from '#web/map-page/test-geography.ts'
import { binsShown, shownMaps } from '#web/map/test-map-view.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { compareRates, BackTestMode } from './back-test.tsx'
import { getPastParameters, pricingSearch } from './pricing-search.ts'

const api = '/v2/regions/port-meridian'
const today = '2026-06-20'
const proposalId = '11111111-ceea-467f-a0e6-7a1d2b3c4d5e'
const parameters = { ...getPastParameters(today), effective_date: '2026-02-01', min_days: 20 }

type Item = BackTest['items'][number]
const item = (
  zone: string,
  [current, proposed, actual]: readonly [number | null, number | null, number | null],
  overrides: Partial<Item> = {},
): Item => ({
  curb_zone_id: zone,
  shape_name: `Main St ${zone}`,
  street_name: 'Main St',
  street_side: zone,
  bbox: [-79.9, 32.7, -79.89, 32.71],
  band: 'morning',
  day_type: 'weekday',
  current_rate: current,
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
  actual_rate: actual,
  ...overrides,
})
const makeResult = (overrides: Partial<BackTest> = {}): BackTest => ({
  compared_day: '2026-02-15',
  rows: 1200,
  refused: 7,
  same_rate: 300,
  same_direction: 600,
  directions: [
    { proposed: 'up', actual: 'up', rows: 1000 },
    { proposed: 'up', actual: 'down', rows: 40 },
    { proposed: 'down', actual: 'unchanged', rows: 160 },
  ],
  items: [
    item('N', [200, 225, 225]),
    item('S', [200, 225, 250]),
    item('E', [200, 225, 175]),
    item('W', [200, null, 225], { limits: ['no_occupancy'], occupancy: null, kind: null }),
    item('X', [200, 225, 225], { band: 'midday' }),
  ],
  ...overrides,
})
const makeProposal = (overrides: Partial<PriceProposalDetail>): Partial<PriceProposalDetail> => ({
  proposal_id: proposalId,
  name: 'Winter',
  status: 'in_force',
  effective_date: '2026-02-01',
  effective_time: null,
  created_time: '2026-01-01T12:00:00.000Z',
  created_by_email: 'planner@example.com',
  rows: 2,
  changes: 1,
  edits: 0,
  parameters,
  ...overrides,
})

function Screen() {
  const region = useRegion()
  const { search, push } = useSearchState(pricingSearch)
  return <BackTestMode region={region} search={search} push={push} today={today} at={0} />
}

afterEach(() => vi.unstubAllGlobals())

async function renderBackTest(search: Record<string, unknown> = {}, responses: Responses = {}) {
  const server = fakeServer({
    ...signedIn(),
    ...geographyResponses(),
    [`GET ${api}/curb/price_proposals`]: () => ({
      items: [makeProposal({}), makeProposal({ proposal_id: 'other', name: 'Next year', status: 'open' })],
    }),
    [`GET ${api}/curb/price_proposals/${proposalId}`]: () => makeProposal({}),
    [`POST ${api}/pricing_engine/back_test`]: () => makeResult(),
    ...responses,
  })
  const queryString = Object.entries(search)
    .map(
      ([key, value]) =>
        `${key}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
    )
    .join('&')
  const router = await renderApp(
    [makeScreenEntry('/$regionId/back-test', 'shell:pages.pricingEngine', Screen)],
    `/port-meridian/back-test?${queryString}`,
  )
  await screen.findByText(/^Applies a rule to a past period/)
  return {
    router,
    backTestRequests: () =>
      server.requests
        .filter(({ path }) => path === `${api}/pricing_engine/back_test`)
        .map(({ body }) => body),
  }
}

it('agreement is the same rate, the same direction or another; null if a rate is unknown', () => {
  const getAgreementFor = (current: number | null, proposed: number | null, actual: number | null) =>
    compareRates(item('N', [current, proposed, actual]))
  expect(getAgreementFor(200, 225, 225)).toBe('same_rate')
  expect(getAgreementFor(200, 200, 200)).toBe('same_rate')
  expect(getAgreementFor(200, 225, 300)).toBe('same_direction')
  expect(getAgreementFor(200, 175, 150)).toBe('same_direction')
  expect(getAgreementFor(200, 225, 175)).toBe('other_direction')
  expect(getAgreementFor(200, 200, 225)).toBe('other_direction')
  expect(getAgreementFor(200, 225, 200)).toBe('other_direction')
  expect([
    getAgreementFor(null, 225, 225),
    getAgreementFor(200, null, 225),
    getAgreementFor(200, 225, null),
  ]).toEqual([null, null, null])
})

describe('a back-test', () => {
  it('requests nothing before a period is chosen, then uses the day after the change', async () => {
    const { router, backTestRequests } = await renderBackTest()
    expect(screen.getByText('No past period chosen yet')).toBeInTheDocument()
    expect(backTestRequests()).toEqual([])
    const day = screen.getByLabelText('Compare with city rates on')
    // Half a year ago, plus the notice period.
    expect(day).toHaveValue(getPastParameters(today).effective_date)
    expect(day).toHaveAttribute('max', today)
    fireEvent.change(day, { target: { value: '2026-02-15' } })
    fireEvent.click(screen.getByText('Calculate rates'))
    await waitFor(() =>
      expect(backTestRequests()).toEqual([
        { parameters: getPastParameters(today), compared_day: '2026-02-15' },
      ]),
    )
    expect(router.state.location.search).toMatchObject({ compared: '2026-02-15' })
  })

  it('a back-test without a day of comparison uses the day on which the rates would take effect', async () => {
    const { backTestRequests } = await renderBackTest()
    fireEvent.change(screen.getByLabelText('Compare with city rates on'), { target: { value: '' } })
    fireEvent.click(screen.getByText('Calculate rates'))
    await waitFor(() =>
      expect(backTestRequests()).toMatchObject([{ compared_day: getPastParameters(today).effective_date }]),
    )
  })

  it('takes the rule and days of a change in force, and offers no others', async () => {
    const { backTestRequests } = await renderBackTest()
    fireEvent.click(await screen.findByLabelText('Past change by the city', { selector: 'input' }))
    expect(screen.queryByText(/Next year/)).toBeNull()
    fireEvent.click(await screen.findByText('Winter, Feb 1, 2026'))
    await waitFor(() => expect(backTestRequests()).toEqual([{ parameters, compared_day: '2026-02-01' }]))
    expect(screen.getByLabelText('Compare with city rates on')).toHaveValue('2026-02-01')
    expect(screen.getByLabelText('Minimum days')).toHaveValue('20')
  })

  it('shows an error if a change cannot be loaded', async () => {
    await renderBackTest(
      {},
      {
        [`GET ${api}/curb/price_proposals/${proposalId}`]: () =>
          new ErrorResponse(404, 'There is no such proposal.'),
      },
    )
    fireEvent.click(await screen.findByLabelText('Past change by the city', { selector: 'input' }))
    fireEvent.click(await screen.findByText('Winter, Feb 1, 2026'))
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'The change was not loadedThere is no such proposal.',
    )
  })
})

describe('the result of a back-test', () => {
  it('shows the agreement in totals and by direction', async () => {
    await renderBackTest({ parameters, compared: '2026-02-15' })
    expect(await screen.findByText('Compared with the rates of Feb 15, 2026')).toBeInTheDocument()
    const getTile = (name: string) => screen.getByText(name, { selector: 'dt' }).parentElement
    expect(getTile('Compared rows')).toHaveTextContent('Compared rows1,200')
    expect(getTile('Same rate')).toHaveTextContent('Same rate300 (25%)')
    expect(getTile('Same direction')).toHaveTextContent('Same direction600 (50%)')
    expect(getTile('Not compared')).toHaveTextContent('Not compared7')
    const matrix = screen.getByText('Rows by what the rule proposed and what the city did').closest('table')
    const cells = [...(matrix?.querySelectorAll('tbody tr') ?? [])].map((row) =>
      [...row.children].map(({ textContent }) => textContent),
    )
    expect(cells).toEqual([
      ['Increase', '1,000', '0', '40'],
      ['No change', '0', '0', '0'],
      ['Decrease', '0', '160', '0'],
    ])
  })

  it("the result of a back-test has each row with the city's rate, its change, and the agreement", async () => {
    await renderBackTest({ parameters, compared: '2026-02-15' })
    const table = within(await screen.findByRole('table', { name: 'Rates of the rule and of the city' }))
    const getRowOf = (name: string) => table.getByText(name).closest('tr')
    expect(getRowOf('Main St N')).toHaveTextContent(/\$2\.00.*\$2\.25\+\$0\.25\$2\.25\+\$0\.25Same rate/)
    expect(getRowOf('Main St S')).toHaveTextContent(/\$2\.50\+\$0\.50Same direction/)
    expect(getRowOf('Main St E')).toHaveTextContent(/\$1\.75−\$0\.25Another direction/)
    expect(getRowOf('Main St W')).toHaveTextContent('occupancy unknown')
    expect(getRowOf('Main St W')).not.toHaveTextContent('direction')
  })

  it('the result of a back-test has a map of the rows of one time band and day type', async () => {
    await renderBackTest({ parameters, compared: '2026-02-15' })
    await waitFor(() =>
      expect(binsShown(shownMaps.get('Agreement of the rule with the city · Morning · Weekdays'))).toEqual([
        0, 1, 2, -2,
      ]),
    )
  })

  it('explains if no row can be compared', async () => {
    await renderBackTest(
      { parameters, compared: '2026-02-15' },
      {
        [`POST ${api}/pricing_engine/back_test`]: () =>
          makeResult({ rows: 0, same_rate: 0, same_direction: 0, directions: [] }),
      },
    )
    expect(await screen.findByText(/^No row has both a proposal and a rate/)).toBeInTheDocument()
    expect(screen.getByText('Same rate', { selector: 'dt' }).parentElement).toHaveTextContent('Same rate0')
    expect(screen.queryByText('Rows by what the rule proposed and what the city did')).toBeNull()
  })

  it('shows the reason of a failure', async () => {
    await renderBackTest(
      { parameters, compared: '2026-02-15' },
      { [`POST ${api}/pricing_engine/back_test`]: () => new ErrorResponse(422, 'No rates were in force.') },
    )
    expect(await screen.findByRole('alert')).toHaveTextContent('No rates were in force.')
  })
})
