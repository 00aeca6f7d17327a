import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PaymentLocationLink, ZoneSuggestion } from '#contract/curb-payment-links.ts'
import { type PermissionKey, permissionKeys } from '#contract/permission.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { geographyResponses } from '#web/map-page/test-geography.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { getBetterZone, getLinkState, PaymentLocationsScreen } from './payment-locations-screen.tsx'

const region = '/v2/regions/port-meridian'
const links = `${region}/curb/payments/location_links`
const address = '/port-meridian/curb/parking-insights/transactions/locations'

const makeSuggestion = (zone: string, overrides: Partial<ZoneSuggestion> = {}): ZoneSuggestion => ({
  curb_zone_id: zone,
  zone_name: `Zone ${zone}`,
  meters: 12.4,
  reason: 'side',
  is_clear: true,
  ...overrides,
})
const makeLocation = (name: string, overrides: Partial<PaymentLocationLink> = {}): PaymentLocationLink => ({
  location_id: `meter:${name}`,
  kind: 'meter',
  name,
  lon: null,
  lat: null,
  spaces: null,
  curb_zone_id: null,
  is_linked_by_hand: false,
  zone_name: null,
  meters: null,
  suggestions: [],
  ...overrides,
})
const link = (name: string, overrides: Partial<PaymentLocationLink> = {}): PaymentLocationLink =>
  makeLocation(name, { curb_zone_id: 'A', zone_name: 'Zone A', meters: 30.48, ...overrides })

const open1 = makeLocation('M1', {
  suggestions: [makeSuggestion('A'), makeSuggestion('B', { is_clear: false })],
})
const open2 = makeLocation('M2', { suggestions: [makeSuggestion('B', { is_clear: false, meters: null })] })
const differing = link('M3', { suggestions: [makeSuggestion('B', { reason: 'id' })] })
const byHand = link('M4', { is_linked_by_hand: true, suggestions: [makeSuggestion('B')] })
const right = link('M5', { suggestions: [makeSuggestion('A')], kind: 'kiosk' })
const all = [open1, open2, differing, byHand, right]

afterEach(() => vi.unstubAllGlobals())

async function renderScreen(
  items: readonly PaymentLocationLink[],
  {
    search = '',
    responses = {},
    keys = permissionKeys,
  }: { search?: string; responses?: Responses; keys?: readonly PermissionKey[] } = {},
) {
  const server = fakeServer({
    ...signedIn(keys),
    ...geographyResponses(),
    [`GET ${links}`]: () => ({ items }),
    [`POST ${links}`]: ({ body }) => ({ linked: (body as { links: unknown[] }).links.length }),
    ...responses,
  })
  await renderApp(
    [
      makeScreenEntry(
        '/$regionId/curb/parking-insights/transactions/locations',
        'shell:pages.paymentLocations',
        PaymentLocationsScreen,
      ),
    ],
    `${address}${search}`,
  )
  await screen.findByRole('heading', { level: 1 })
  return {
    requests: server.requests,
    sent: () =>
      server.requests.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body]),
  }
}
const names = () => screen.getAllByRole('row').flatMap((row) => row.textContent.match(/M\d/)?.[0] ?? [])
const findRowOf = async (name: string): Promise<HTMLElement> => (await screen.findByText(name)).closest('tr')!

describe('the state of a location', () => {
  it('the state of a location is open without a zone; only a clear match that no user overrode is likelier', () => {
    expect(all.map(getLinkState)).toEqual(['open', 'open', 'differs', 'settled', 'settled'])
    const unclear = link('M6', { suggestions: [makeSuggestion('B', { is_clear: false })] })
    expect(getLinkState(unclear)).toBe('settled')
  })

  it('the state of a location has a better zone if the best suggestion is another zone', () => {
    expect(all.map((location) => getBetterZone(location)?.curb_zone_id ?? null)).toEqual([
      'A',
      'B',
      'B',
      'B',
      null,
    ])
    // The second-best suggestion is never a better zone.
    expect(getBetterZone(link('M7', { suggestions: [makeSuggestion('A'), makeSuggestion('B')] }))).toBeNull()
  })
})

describe('locations of payments', () => {
  it('locations of payments are listed without a zone first, with the count of each state', async () => {
    await renderScreen(all)
    await findRowOf('M1')
    expect(names()).toEqual(['M1', 'M2'])
    await userEvent.click(screen.getByLabelText('Show', { selector: 'input' }))
    const options = await screen.findAllByRole('option', { hidden: true })
    expect(options.map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['Without a zone (2)', 'Another zone is more likely (1)', 'All locations (5)']),
    )
    await userEvent.click(screen.getByText('Another zone is more likely (1)'))
    await findRowOf('M3')
    expect(names()).toEqual(['M3'])
  })

  it('locations of payments are all listed if each has a zone', async () => {
    await renderScreen([differing, right])
    await findRowOf('M3')
    expect(names()).toEqual(['M3', 'M5'])
  })

  it('locations of payments have their zone, the distance in feet, and the suggestion with its reason', async () => {
    await renderScreen(all, { search: '?show=all' })
    expect(await findRowOf('M1')).toHaveTextContent(
      'M1MeterNo zone Zone A · 41 ft away · on the side given in its name',
    )
    expect(await findRowOf('M2')).toHaveTextContent('No zone Zone B · check: other zones are just as near')
    expect(await findRowOf('M3')).toHaveTextContent(
      /Zone A 100 ftZone B · 41 ft away · the vendor names this zone/,
    )
    expect(await findRowOf('M4')).toHaveTextContent('Zone A by hand')
    expect(await findRowOf('M5')).toHaveTextContent(/^M5Pay stationZone A 100 ftChoose zone$/)
  })

  it('locations of payments with clear suggestions are accepted all at once, and the list is reloaded', async () => {
    const { sent, requests } = await renderScreen(all)
    await userEvent.click(await screen.findByRole('button', { name: 'Accept 1 clear suggestion' }))
    await waitFor(() =>
      expect(sent()).toEqual([[links, { links: [{ location_id: 'meter:M1', curb_zone_id: 'A' }] }]]),
    )
    await waitFor(() =>
      expect(requests.filter(({ method, path }) => method === 'GET' && path === links)).toHaveLength(2),
    )
  })

  it('locations of payments are linked as suggested if checked, even if the suggestion is not clear', async () => {
    const { sent } = await renderScreen(all)
    const row = await findRowOf('M2')
    const accept = (count: string) => screen.queryByRole('button', { name: `Link ${count} as suggested` })
    await userEvent.click(within(row).getByRole('checkbox', { name: 'M2' }))
    await userEvent.click(accept('1 location')!)
    await waitFor(() =>
      expect(sent()).toEqual([[links, { links: [{ location_id: 'meter:M2', curb_zone_id: 'B' }] }]]),
    )
    // Linked locations are no longer checked.
    await waitFor(() => expect(accept('1 location')).toBeNull())
  })

  it('locations of payments without a suggestion cannot be linked as suggested', async () => {
    await renderScreen([makeLocation('M8')])
    await userEvent.click(within(await findRowOf('M8')).getByRole('checkbox', { name: 'M8' }))
    expect(screen.getByRole('button', { name: 'Link 0 locations as suggested' })).toBeDisabled()
    expect(screen.queryByRole('button', { name: /clear suggestion/ })).toBeNull()
  })

  it('locations of payments without a name are shown by id', async () => {
    await renderScreen([makeLocation('', { location_id: 'kiosk:77' })])
    expect(await screen.findByRole('checkbox', { name: 'kiosk:77' })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Choose the zone of kiosk:77' })).toBeInTheDocument()
  })

  it('locations of payments show the reason if they cannot be linked', async () => {
    await renderScreen(all, {
      responses: { [`POST ${links}`]: () => new ErrorResponse(409, 'Zone A was retired.') },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Accept 1 clear suggestion' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'The locations were not linkedZone A was retired.',
    )
  })

  it('locations of payments are read-only without the permission to edit', async () => {
    await renderScreen(all, { keys: permissionKeys.filter((key) => key !== 'edit_curb_regulations') })
    await findRowOf('M1')
    expect(screen.queryByRole('checkbox')).toBeNull()
    expect(screen.queryByRole('button', { name: /clear suggestion|Choose the zone/ })).toBeNull()
  })

  it('locations of payments show where they come from if there are none', async () => {
    await renderScreen([])
    expect(await screen.findByText('No payment locations yet')).toBeInTheDocument()
  })
})

describe('the zone of a location', () => {
  it('the zone of a location is selected among nearby zones, or set to none', async () => {
    const { sent } = await renderScreen(all, { search: '?show=all' })
    await userEvent.click(await screen.findByRole('button', { name: 'Choose the zone of M3' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Choose the zone of M3' }))
    expect(dialog.getByRole('radio', { name: 'Zone A' })).toBeChecked()
    expect(dialog.getByRole('button', { name: 'Link' })).toBeDisabled()
    expect(dialog.getByRole('radio', { name: 'Zone B · 41 ft away' })).toBeInTheDocument()
    await userEvent.click(dialog.getByRole('radio', { name: 'No zone' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Link' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent()).toEqual([[links, { links: [{ location_id: 'meter:M3', curb_zone_id: null }] }]])
  })

  it('shows the reason of a failed search, and searches again', async () => {
    const { requests } = await renderScreen(all, { search: '?show=all' })
    await userEvent.click(await screen.findByRole('button', { name: 'Choose the zone of M3' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Choose the zone of M3' }))
    await userEvent.type(dialog.getByRole('textbox'), 'quay')
    expect(await dialog.findByRole('alert')).toHaveTextContent(/No response to GET .*zone_choices/)
    await userEvent.click(dialog.getByRole('button', { name: 'Try again' }))
    expect(requests.filter(({ path }) => path.endsWith('/zone_choices'))).toHaveLength(2)
  })

  it('the zone of a location is searched; the number of further results is shown', async () => {
    const zone = { curb_zone_id: 'Z', name: null, street_name: 'Quay', street_side: 'N', length_m: 60 }
    await renderScreen(all, {
      search: '?show=all',
      responses: {
        'GET /v2/regions/port-meridian/curb/zone_choices': () => ({
          items: [
            {
              ...zone,
              shape_uuid: '11111111-ceea-467f-a0e6-7a1d2b3c4d5e',
              cross_street_start_name: null,
              cross_street_end_name: null,
              num_spaces: 9,
              bbox: [-75.2, 37, -75.1, 37.1],
            },
          ],
          total: 35,
          page: 1,
          size: 20,
        }),
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Choose the zone of M3' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText('Search streets and zones'), 'quay')
    expect(await dialog.findByText(/^and 34 more zones/)).toBeInTheDocument()
  })
})
