import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, type Responses } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { testPolicy } from './test-policy.ts'
import { policiesResponses } from './test-policy-responses.ts'
import { PoliciesScreen } from './policies-screen.tsx'

const screens: ScreenEntry[] = [
  {
    path: '/$regionId/mobility/policies',
    title: 'shell:pages.policies',
    permission: 'signed_in',
    Screen: PoliciesScreen,
  },
]
const address = '/port-meridian/mobility/policies'
const other = '33333333-ceea-467f-a0e6-7a1d2b3c4d5e'
const policies = [
  testPolicy({
    operators: ['glide'],
    vehicle_types: ['moped'],
    start_time: '22:00:00',
    end_time: '06:00:00',
    days: [5, 6],
    published_policy_uuid: other,
  }),
  testPolicy({
    policy_name: 'Old cap',
    policy_type: 'vehicle_cap',
    shape_layer_uuid: null,
    policy_uuid: other,
    constant_policy_uuid: other,
    status: 'expired',
    end_date: '2026-01-31',
  }),
]

afterEach(() => vi.unstubAllGlobals())

async function renderScreen(responses: Responses = {}, search = '') {
  const server = fakeServer({ ...policiesResponses(policies), ...responses })
  const router = await renderApp(screens, `${address}${search}`)
  return {
    ...server,
    router,
    last: () =>
      server.requests.findLast(({ path }) => path === '/v2/policies/list')?.body as Record<string, unknown>,
  }
}
const rowOf = async (name: string) => (await screen.findByRole('link', { name })).closest('tr')!
const getMenuOf = async (name: string) => {
  await userEvent.click(await screen.findByLabelText(`Actions for ${name}`))
  return within(await screen.findByRole('menu', { hidden: true, name: `Actions for ${name}` }))
}

describe('the library', () => {
  it('shows type, place, operators, period, status and published revision of each policy', async () => {
    await renderScreen()
    const row = await rowOf('Wharf')
    await waitFor(() =>
      expect(row).toHaveTextContent(
        'WharfNo rideAll areas of WardsGlideMopedAny dateFri, Sat10:00 PM – 6:00 AMSavedEarlier revision published',
      ),
    )
    expect(await rowOf('Old cap')).toHaveTextContent(
      'Old capVehicle capWhole regionAll operatorsAll vehicle typesUntil Jan 31, 2026Every dayAll DayExpired',
    )
    expect(screen.getByRole('link', { name: 'Wharf' })).toHaveAttribute(
      'href',
      `${address}/${policies[0]!.constant_policy_uuid}`,
    )
  })

  it('sends the filters of the URL, and sorts by its columns in both directions', async () => {
    const { last, router } = await renderScreen(
      {},
      '?types=["no_ride"]&statuses=["saved"]&operators=["glide"]&vehicle_types=["moped"]&sort="-status"',
    )
    await rowOf('Wharf')
    expect(last()).toMatchObject({
      region_id: 'port-meridian',
      types: ['no_ride'],
      statuses: ['saved'],
      operators: ['glide'],
      vehicle_types: ['moped'],
      sort: '-status',
      page: 1,
      size: 300,
    })
    await userEvent.click(screen.getByRole('button', { name: 'Type' }))
    await waitFor(() => expect(last()).toMatchObject({ sort: 'policy_type' }))
    expect((await rowOf('Wharf')).closest('table')!.querySelector('[aria-sort]')).toHaveTextContent('Type')
    await userEvent.click(screen.getByRole('button', { name: 'Type' }))
    await waitFor(() =>
      expect(router.state.location.search).toMatchObject({ sort: '-policy_type', types: ['no_ride'] }),
    )
  })

  it('searches after a pause in typing', async () => {
    const { requests, last } = await renderScreen()
    await rowOf('Wharf')
    const before = requests.length
    await userEvent.type(screen.getByLabelText('Search by name or description'), 'wha')
    await waitFor(() => expect(last()).toMatchObject({ text: 'wha' }))
    expect(requests.slice(before).filter(({ path }) => path === '/v2/policies/list')).toHaveLength(1)
  })

  it('explains what to do without policies, and offers to clear filters if none matches', async () => {
    const none = { 'POST /v2/policies/list': () => ({ data: [], total: 0, page: 1, size: 300 }) }
    const { router } = await renderScreen(none, '?types=["no_ride"]')
    await userEvent.click(await screen.findByRole('button', { name: 'Clear all filters' }))
    expect(await screen.findByText('No policies yet')).toBeInTheDocument()
    expect(router.state.location.search).toEqual({})
    expect(screen.getAllByRole('link', { name: 'Create policy' })[0]).toHaveAttribute(
      'href',
      `${address}/create`,
    )
  })

  it('the library is read-only without edit_policy', async () => {
    await renderScreen(signedIn([]))
    const menu = await getMenuOf('Wharf')
    expect(menu.getByRole('menuitem', { hidden: true, name: 'Open' })).toBeInTheDocument()
    expect(menu.queryByText('Delete')).not.toBeInTheDocument()
    expect(screen.queryByRole('link', { name: 'Create policy' })).not.toBeInTheDocument()
  })
})
