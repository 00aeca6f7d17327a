import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { constantId } from '#web/policies/test-policy.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { ComplianceScreen } from './compliance-screen.tsx'
import { aSummary, complianceResponses } from './test-compliance.ts'

const address = '/port-meridian/mobility/policies/compliance'
const screens: ScreenEntry[] = [
  makeScreenEntry('/$regionId/mobility/policies/compliance', 'shell:pages.compliance', ComplianceScreen),
]
const summaryPath = '/v2/regions/port-meridian/policies/compliance/summary'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T17:00:00Z') })
  for (const side of ['clientHeight', 'offsetHeight', 'clientWidth'] as const)
    vi.spyOn(HTMLElement.prototype, side, 'get').mockReturnValue(400)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function renderScreen(search = '', responses: Responses = {}) {
  const server = fakeServer({ ...complianceResponses(), ...responses })
  const router = await renderApp(screens, `${address}${search}`)
  return {
    ...server,
    router,
    requests: () =>
      server.requests
        .filter(({ path }) => path === summaryPath)
        .map(({ query }) => `${query.get('startDate')} ${query.get('endDate')}`),
  }
}
const findAllRows = async () =>
  within(await screen.findByRole('table', { name: 'Compliance by policy and operator' }))
    .getAllByRole('row')
    .slice(1)
const findRows = async () => (await findAllRows()).filter((row) => row.closest('tbody'))

describe('the summary', () => {
  it('shows the last seven days, most violations first, each status as a word', async () => {
    const { requests } = await renderScreen()
    const [first, second] = await findRows()
    await waitFor(() => expect(first).toHaveTextContent('WharfNo parkingGlideNon-compliant17'))
    expect(second).toHaveTextContent('WharfNo parkingSkipCompliant00')
    expect((await findAllRows()).at(-1)).toHaveTextContent(/^Total17$/)
    expect(requests()).toEqual(['2026-11-15 2026-11-22'])
    expect(screen.getByText('1 non-compliant, 1 compliant, 0 not applicable.')).toBeInTheDocument()
    expect(screen.getByText(/^Past days as of Nov 22, 2026, 11:50/)).toBeInTheDocument()
    expect(within(first!).getByRole('img')).toHaveAccessibleName(/1 days non-compliant, 1 compliant/)
  })

  it('links to the policy for the same days and all operators', async () => {
    await renderScreen()
    const [first] = await findRows()
    const link = within(first!).getByRole('link', { name: 'Wharf' })
    expect(decodeURIComponent(link.getAttribute('href') ?? '')).toBe(
      `${address}/${constantId}?start_date=2026-11-15&end_date=2026-11-22`,
    )
  })

  it('the summary has no links if the organization does not have compliance details', async () => {
    await renderScreen('', signedIn(undefined, { complianceDetails: false }))
    const [first] = await findRows()
    expect(within(first!).queryByRole('link')).not.toBeInTheDocument()
  })

  it('the summary uses the filters of the URL, and optionally compares with the days before', async () => {
    const { requests, router } = await renderScreen('?operators=["glide"]')
    expect(await findRows()).toHaveLength(1)
    await userEvent.click(screen.getByRole('switch', { name: 'Compare with the previous period' }))
    await waitFor(() => expect(requests()).toContain('2026-11-07 2026-11-14'))
    expect(await screen.findByRole('button', { name: 'Violations before' })).toBeInTheDocument()
    expect(router.state.location.search).toEqual({ operators: ['glide'], compare: true })
  })

  it('offers to clear filters if nothing matches', async () => {
    const { router } = await renderScreen('?types=["vehicle_cap"]')
    await userEvent.click(await screen.findByRole('button', { name: 'Clear all filters' }))
    await waitFor(() => expect(router.state.location.search).toEqual({}))
    expect(await findRows()).toHaveLength(2)
  })

  it('explains what to do if no policy was in force', async () => {
    await renderScreen('', {
      [`GET ${summaryPath}`]: () => ({
        data: [],
        start_date: '2026-11-15',
        end_date: '2026-11-22',
        today: '2026-11-22',
        as_of: '2026-11-22T16:50:00Z',
      }),
    })
    expect(await screen.findByText('No policy was in effect in this period')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Open the library' })).toHaveAttribute(
      'href',
      '/port-meridian/mobility/policies',
    )
  })

  it('shows progress while loading, at first and for other days', async () => {
    const held: { respond?: () => void } = {}
    const hold = () =>
      new Promise((resolve) => {
        held.respond = () =>
          resolve({
            data: [aSummary()],
            start_date: '2026-11-15',
            end_date: '2026-11-22',
            today: '2026-11-22',
            as_of: '2026-11-22T16:50:00Z',
          })
      })
    const { router } = await renderScreen('', { [`GET ${summaryPath}`]: hold })
    expect(await screen.findByText(/^Measuring 8 days\./)).toHaveRole('status')
    held.respond?.()
    expect(await screen.findByText('1 non-compliant, 1 compliant, 0 not applicable.')).toBeInTheDocument()
    expect(screen.queryByText(/^Measuring/)).not.toBeInTheDocument()
    await act(() =>
      router.navigate({ to: '.', search: { start_date: '2026-10-01', end_date: '2026-10-31' } as never }),
    )
    expect(await screen.findByText(/^Measuring 31 days\./)).toBeInTheDocument()
    expect(await findRows()).toHaveLength(2)
    held.respond?.()
    await waitFor(() => expect(screen.queryByText(/^Measuring/)).not.toBeInTheDocument())
  })

  it('the summary can be requested again after a failure', async () => {
    let isBroken = true
    await renderScreen('', {
      [`GET ${summaryPath}`]: () =>
        isBroken
          ? new ErrorResponse(500, 'x')
          : {
              data: [],
              start_date: '2026-11-15',
              end_date: '2026-11-22',
              today: '2026-11-22',
              as_of: '2026-11-22T16:50:00Z',
            },
    })
    const retry = await screen.findByRole('button', { name: 'Try again' })
    isBroken = false
    await userEvent.click(retry)
    expect(await screen.findByText('No policy was in effect in this period')).toBeInTheDocument()
  })
})
