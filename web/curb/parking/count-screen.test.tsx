import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CountImport, CountPlace } from '#contract/curb-counts.ts'
import { type PermissionKey, permissionKeys } from '#contract/permission.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { CountScreen } from './count-screen.tsx'

const importId = '11111111-ceea-467f-a0e6-7a1d2b3c4d5e'
const curb = '/v2/regions/port-meridian/curb'
const api = `${curb}/count_imports/${importId}`
const address = `/port-meridian/curb/parking-insights/occupancy/counts/${importId}`

const counts = (overrides: Partial<CountImport> = {}): CountImport => ({
  import_id: importId,
  file_name: 'survey.csv',
  status: 'staged',
  problem: null,
  layout: 'survey',
  options: {},
  needs: [],
  rows: 1384,
  accepted: 1300,
  rejected: 84,
  codes: { bad_time: 4, unknown_place: 80 },
  first_day: '2026-05-05',
  last_day: '2026-05-05',
  places: 22,
  matched_places: 18,
  matched_share: 0.78,
  profile: [
    { hour: 8, occupied_hours: 12.25, known_hours: 24.5 },
    { hour: 9, occupied_hours: 0, known_hours: 0 },
  ],
  created_by: 'ann@city.example',
  created_time: '2026-05-06T12:00:00.000Z',
  published_time: null,
  undone_time: null,
  same_as: null,
  ...overrides,
})
const places: CountPlace[] = [
  { place: 'p1', label: 'Pier 1', rows: 1200, spaces: 4, match: 'none', zone_ids: [], distance_m: null },
  { place: 'p2', label: 'Pier 2', rows: 9, spaces: 4, match: 'nearest', zone_ids: ['z1'], distance_m: 11.6 },
]
const page = <Item,>(items: readonly Item[], total = items.length) => ({ items, total, page: 1, size: 50 })

afterEach(() => vi.unstubAllGlobals())

async function renderScreen(
  found: CountImport,
  responses: Responses = {},
  search = '',
  keys: readonly PermissionKey[] = permissionKeys,
) {
  const server = fakeServer({
    ...signedIn(keys),
    [`GET ${api}`]: () => found,
    [`GET ${api}/places`]: () => page(places, 120),
    [`GET ${api}/findings`]: () =>
      page([
        { row: 7, code: 'bad_time', is_rejected: true, message: '“noon” is no time.', source: 'A,noon,3' },
        { row: 0, code: 'unknown_place', is_rejected: true, message: 'Pier 1 has no zone.', source: '' },
      ]),
    [`GET ${curb}/zone_choices`]: () =>
      page([
        { curb_zone_id: 'z1', name: 'North', street_name: 'Main St' },
        { curb_zone_id: 'z2', name: null, street_name: 'Dock Rd' },
      ]),
    ...responses,
  })
  const router = await renderApp(
    [
      {
        path: '/$regionId/curb/parking-insights/occupancy/counts/$importId',
        title: 'shell:pages.occupancyCounts',
        permission: 'signed_in',
        Screen: CountScreen,
      },
    ],
    `${address}${search}`,
  )
  return {
    router,
    sent: () =>
      server.requests
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path, body }) => [method, path, body]),
    query: (path: string) =>
      Object.fromEntries(
        server.requests.findLast((request) => request.path === `${api}/${path}`)?.query ?? [],
      ),
  }
}

const readerKeys = permissionKeys.filter((key) => key !== 'edit_curb_regulations')

describe('the report of a file of counts', () => {
  it('shows the result of the rows, with localized numbers', async () => {
    await renderScreen(counts({ problem: 'Line 9 is broken.', same_as: importId }))
    expect(await screen.findByRole('heading', { level: 1, name: 'survey.csv' })).toBeInTheDocument()
    expect(screen.getByText(/1,384 rows: 1,300 accepted, 84 rejected/)).toHaveTextContent(
      '18 of 22 places have a zone (78% of the rows).',
    )
    expect(screen.getByText(/Survey · May 6, 2026, 8:00 AM/)).toBeInTheDocument()
    expect(screen.getByText('Line 9 is broken.')).toBeInTheDocument()
    expect(screen.getByText('The same file was imported before.')).toBeInTheDocument()
  })

  it('the report of a file of counts has the sums by hour; an hour without data has no share', async () => {
    await renderScreen(counts())
    const table = within(await screen.findByRole('table', { name: 'The file by hour of the day' }))
    const row = table.getByText('8:00 AM').closest('tr')
    expect(
      within(row!)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['8:00 AM', '12.3', '24.5', '50%'])
    const unknown = within(table.getByText('9:00 AM').closest('tr')!).getAllByRole('cell')
    expect(unknown.at(-1)).toHaveTextContent('n/a')
  })

  it('shows why it cannot be loaded', async () => {
    await renderScreen(counts(), { [`GET ${api}`]: () => new ErrorResponse(404, 'There is no such import.') })
    expect(await screen.findByRole('alert')).toHaveTextContent('There is no such import.')
  })

  it('lists rejected rows by reason, most frequent first, and filters by one reason', async () => {
    const { query, router } = await renderScreen(counts(), {}, '?code=bad_time&findings_page=2')
    const table = within(await screen.findByRole('table', { name: 'Findings' }))
    const [first, second] = table.getAllByRole('row').slice(1)
    expect(first).toHaveTextContent('7Unreadable time“noon” is no time.A,noon,3')
    // A finding about the file has no row.
    expect(second).toHaveTextContent(/^n\/aPlace without a zonePier 1 has no zone\./)
    expect(query('findings')).toMatchObject({ code: 'bad_time', page: '2', size: '50' })
    await userEvent.click(screen.getByLabelText('Findings', { selector: 'input' }))
    const texts = (await screen.findAllByRole('option', { hidden: true })).map((option) => option.textContent)
    expect(texts.filter((text) => /\(\d+\)/.test(text))).toEqual([
      'Place without a zone (80)',
      'Unreadable time (4)',
    ])
    await userEvent.click(screen.getByText('Place without a zone (80)'))
    await waitFor(() => expect(query('findings')).toMatchObject({ code: 'unknown_place', page: '1' }))
    expect(router.state.location.search).toEqual({ code: 'unknown_place' })
  })
})

describe('the places of a file', () => {
  it('the places of a file are listed with how they were matched and how far away the zone is', async () => {
    const { query } = await renderScreen(counts(), {}, '?match=none&search=pier&page=2')
    const table = within(await screen.findByRole('table', { name: 'Places and their zones' }))
    expect(table.getByText('Pier 1').closest('tr')).toHaveTextContent('Pier 11,200No zone0')
    expect(table.getByText('Pier 2').closest('tr')).toHaveTextContent('Pier 29Nearest zone (12 m)1')
    expect(query('places')).toEqual({ page: '2', size: '50', match: 'none', search: 'pier' })
  })

  it('the places of a file can be assigned to zones by hand', async () => {
    const { sent } = await renderScreen(counts(), { [`PATCH ${api}/places`]: () => counts() })
    const row = (await screen.findByText('Pier 2')).closest('tr')!
    await userEvent.click(within(row).getByRole('button', { name: 'Choose zones' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Zones of Pier 2' }))
    await userEvent.click(dialog.getByLabelText('Zones', { selector: 'input' }))
    // A zone without a name is listed by its street.
    await userEvent.click(await screen.findByRole('option', { name: 'Dock Rd', hidden: true }))
    await userEvent.click(dialog.getByRole('button', { name: 'Save zones' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent()).toEqual([
      ['PATCH', `${api}/places`, { places: [{ place: 'p2', zone_ids: ['z1', 'z2'] }] }],
    ])
  })

  it('the places of a file cannot be saved: the dialog stays open and shows the reason', async () => {
    await renderScreen(counts(), { [`PATCH ${api}/places`]: () => new ErrorResponse(409, 'z1 was retired.') })
    await userEvent.click((await screen.findAllByRole('button', { name: 'Choose zones' }))[0]!)
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Save zones' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('The zones were not savedz1 was retired.')
  })

  it('the places of a file cannot be assigned while the file is being read', async () => {
    await renderScreen(counts({ status: 'staging' }))
    expect(await screen.findByText('Pier 1')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Choose zones' })).toBeNull()
  })
})

describe('the actions of an import', () => {
  it('the actions of an import publish a staged import, which can then be undone but not deleted', async () => {
    let found = counts()
    const { sent } = await renderScreen(found, {
      [`GET ${api}`]: () => found,
      [`POST ${api}/publish`]: () => (found = counts({ status: 'published' })),
      [`POST ${api}/undo`]: () => (found = counts({ status: 'undone' })),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Publish' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByRole('button', { name: 'Delete' })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
    expect(sent().map(([method, path]) => `${method} ${path}`)).toEqual([
      `POST ${api}/publish`,
      `POST ${api}/undo`,
    ])
  })

  it('the actions of an import show why an import was not published', async () => {
    await renderScreen(counts(), {
      [`POST ${api}/publish`]: () => new ErrorResponse(409, 'Another file is published.'),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Publish' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Another file is published.')
    expect(screen.getByRole('button', { name: 'Publish' })).toBeEnabled()
  })

  it('the actions of an import delete an import after confirmation, and return to the list', async () => {
    const { sent, router } = await renderScreen(counts(), { [`DELETE ${api}`]: () => ({ deleted: true }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete the import survey.csv' }))
    expect(sent()).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() =>
      expect(router.state.location.pathname).toBe('/port-meridian/curb/parking-insights/occupancy/counts'),
    )
    expect(sent().map(([method, path]) => `${method} ${path}`)).toEqual([`DELETE ${api}`])
  })

  it('the actions of an import are hidden without the permission to edit', async () => {
    await renderScreen(counts(), {}, '', readerKeys)
    expect(await screen.findByText('Pier 1')).toBeInTheDocument()
    for (const name of ['Publish', 'Delete', 'Choose zones'])
      expect(screen.queryByRole('button', { name })).toBeNull()
  })
})

describe('a file of averages', () => {
  const waiting = counts({ status: 'waiting', needs: ['date'], layout: 'sensor_week' })

  it('a file of averages is read once a day of its week is selected', async () => {
    const { sent } = await renderScreen(waiting, {
      [`POST ${api}/start`]: () => new ErrorResponse(422, 'The day is ahead.'),
    })
    const start = await screen.findByRole('button', { name: 'Read the file' })
    expect(start).toBeDisabled()
    fireEvent.change(screen.getByLabelText('Day'), { target: { value: '2026-05-04' } })
    await userEvent.click(start)
    expect(sent()).toEqual([['POST', `${api}/start`, { date: '2026-05-04' }]])
    expect(await screen.findByRole('alert')).toHaveTextContent('The day is ahead.')
  })

  it('a file of averages is only explained to users who cannot have it read', async () => {
    await renderScreen(waiting, {}, '', readerKeys)
    expect(await screen.findByText(/averages by weekday and hour without dates/)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Read the file' })).toBeNull()
  })
})
