import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Import, TripMapping } from '#contract/imports.ts'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import * as sending from '#web/data/send-with-progress.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { TripFilesScreen } from './trip-files-screen.tsx'

const screens: ScreenEntry[] = [
  {
    path: '/$regionId/mobility/trip-files',
    title: 'shell:pages.tripFiles',
    permission: 'is_admin',
    Screen: TripFilesScreen,
  },
]
const address = '/port-meridian/mobility/trip-files'
const imports = '/v2/regions/port-meridian/imports'
const uuid = '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e'

const makeImport = (overrides: Partial<Import>): Import => ({
  import_uuid: uuid,
  region_id: 'port-meridian',
  file_name: 'july.csv',
  bytes: 1_000_000,
  kind: 'trips',
  asks: [],
  status: 'done',
  layout: 'MDS trips',
  rows_read: 1000,
  rows_accepted: 990,
  rows_flagged: 12,
  rows_rejected: 10,
  flags: { zero_distance: 12 },
  reasons: { no_start_time: 10 },
  progress: 1,
  rows_per_second: null,
  seconds_left: null,
  problem: null,
  notes: [],
  created_time: '2026-11-20T15:00:00Z',
  finished_time: '2026-11-20T15:01:00Z',
  created_by: 'Ada',
  same_as: null,
  ...overrides,
})
const list = (...items: Import[]) => ({
  [`GET ${imports}`]: () => ({ items, total: items.length, page: 1, size: 50 }),
})
const mapping: TripMapping = {
  columns: { trip_id: 'ride' },
  distance_unit: 'm',
  duration_unit: 's',
  date_order: 'ymd',
  operator: null,
  vehicle_type: null,
}

afterEach(() => vi.unstubAllGlobals())

describe('trip files', () => {
  it('trip files explain what to do without imports', async () => {
    fakeServer({ ...signedIn(), ...list() })
    await renderApp(screens, address)
    expect(await screen.findByText('No files yet')).toBeInTheDocument()
  })

  it('trip files show the results of rows with reasons', async () => {
    fakeServer({ ...signedIn(), ...list(makeImport({})) })
    await renderApp(screens, address)
    const card = await screen.findByRole('article', { name: 'july.csv' })
    expect(within(card).getByText('Rows read').nextSibling).toHaveTextContent('1,000')
    expect(within(card).getByText('Rejected').nextSibling).toHaveTextContent('10')
    expect(within(card).getByText('Distance of zero: 12')).toBeInTheDocument()
    expect(within(card).getByText('No start time: 10')).toBeInTheDocument()
    expect(within(card).getByRole('link', { name: /rejected/ })).toHaveAttribute(
      'href',
      `${imports}/${uuid}/rejected`,
    )
  })

  it('trip files are filtered, sorted and counted by the server', async () => {
    const { requests } = fakeServer({
      ...signedIn(),
      [`GET ${imports}`]: ({ query }) => {
        const page = Number(query.get('page'))
        return query.get('search') === 'nothing'
          ? { items: [], total: 0, page, size: 50 }
          : { items: [makeImport({ file_name: `page-${page}.csv` })], total: 120, page, size: 50 }
      },
    })
    const getLastQuery = () =>
      Object.fromEntries(requests.findLast(({ path }) => path === imports)?.query ?? [])
    const router = await renderApp(screens, address)
    expect(await screen.findByText('120 files')).toBeInTheDocument()
    expect(screen.getByText('1–50 of 120')).toBeInTheDocument()
    expect(getLastQuery()).toEqual({ page: '1', size: '50' })
    await userEvent.click(screen.getByRole('button', { name: 'Next' }))
    expect(await screen.findByRole('article', { name: 'page-2.csv' })).toBeInTheDocument()
    expect(screen.getByText('51–100 of 120')).toBeInTheDocument()

    await userEvent.click(screen.getByRole('combobox', { name: 'Sort by' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Largest first' }))
    await waitFor(() => expect(getLastQuery()).toEqual({ page: '1', size: '50', order_by: '-bytes' }))
    await userEvent.click(screen.getByRole('combobox', { name: 'Status' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Failed' }))
    await waitFor(() =>
      expect(getLastQuery()).toEqual({ page: '1', size: '50', order_by: '-bytes', status: 'failed' }),
    )
    await userEvent.type(screen.getByLabelText('Search by file name'), 'nothing')
    expect(await screen.findByText('No file matches')).toBeInTheDocument()
    expect(router.state.location.search).toEqual({ sort: '-bytes', status: 'failed', search: 'nothing' })
    await userEvent.clear(screen.getByLabelText('Search by file name'))
    expect(await screen.findByText('120 files')).toBeInTheDocument()
  })

  it('trip files are polled every second while one is running', async () => {
    const steps = [
      makeImport({ status: 'running', progress: 0.4, rows_per_second: 9000, seconds_left: 61 }),
      makeImport({}),
    ]
    fakeServer({
      ...signedIn(),
      [`GET ${imports}`]: () => ({
        items: [steps.length > 1 ? steps.shift() : steps[0]],
        total: 1,
        page: 1,
        size: 50,
      }),
    })
    await renderApp(screens, address)
    expect(await screen.findByText('40% · 9,000 rows per second · 1 min left')).toBeInTheDocument()
    expect(await screen.findByText('Done')).toBeInTheDocument()
  })

  it('trip files are uploaded one after the other; a failed upload can be repeated', async () => {
    const sent: string[] = []
    const responses = [
      { status: 500, text: 'no' },
      { status: 200, text: '{}' },
      { status: 200, text: '{}' },
    ]
    vi.spyOn(sending, 'sendWithProgress').mockImplementation(async ({ url, onProgress }) => {
      sent.push(new URL(url, 'http://x').searchParams.get('file_name') ?? '')
      onProgress?.(0.5)
      const response = responses.shift()!
      return {
        status: response.status,
        statusText: '',
        version: null,
        text: async () => response.text,
        bytes: async () => new Uint8Array(),
      }
    })
    fakeServer({ ...signedIn(), ...list() })
    await renderApp(screens, address)
    await userEvent.upload(await screen.findByLabelText('Choose files', { selector: 'input' }), [
      new File(['a'], 'a.csv'),
      new File(['b'], 'b.csv.gz'),
    ])
    expect(await screen.findByText('The file was not uploaded')).toBeInTheDocument()
    await waitFor(() => expect(sent).toEqual(['a.csv', 'b.csv.gz']))
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.queryByText('a.csv')).not.toBeInTheDocument())
    expect(sent).toEqual(['a.csv', 'b.csv.gz', 'a.csv'])
  })

  it('trip files of vehicles require their time and operator', async () => {
    const waiting = makeImport({
      file_name: 'fleet.csv',
      kind: 'snapshot',
      status: 'needs_mapping',
      asks: ['snapshot_time', 'operator'],
      layout: 'CSV',
      rows_read: 0,
      rows_rejected: 0,
    })
    const { requests } = fakeServer({
      ...signedIn(),
      ...list(waiting),
      'GET /v2/operators': () => ({
        items: [{ slug: 'bird', name: 'Bird', colorHex: '#3366CC' }],
        total: 1,
        page: 1,
        size: 300,
      }),
      [`POST ${imports}/${uuid}/start`]: () => ({ ...waiting, status: 'queued', asks: [] }),
    })
    await renderApp(screens, address)
    await userEvent.click(await screen.findByRole('button', { name: 'Add missing details' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add missing details' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Import' }))
    expect(dialog.getByText('Choose a day and a time')).toBeInTheDocument()
    expect(dialog.getByText('Choose or enter an operator')).toBeInTheDocument()
    await userEvent.type(dialog.getByLabelText(/Time of the snapshot/), '2026-08-08T08:51')
    await userEvent.type(dialog.getByRole('combobox', { name: /Operator of the vehicles/ }), 'Bird Rides')
    await userEvent.click(dialog.getByRole('button', { name: 'Import' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(requests.find((request) => request.path.endsWith('/start'))?.body).toEqual({
      snapshot_time: '2026-08-08T12:51:00.000Z',
      operator: 'bird-rides',
    })
  })

  it('trip files are removed after confirmation', async () => {
    const { requests } = fakeServer({
      ...signedIn(),
      ...list(makeImport({})),
      [`DELETE ${imports}/${uuid}`]: () => ({ deleted_trips: 990, deleted_rows: 990 }),
    })
    await renderApp(screens, address)
    await userEvent.click(await screen.findByRole('button', { name: 'Undo import of july.csv' }))
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent('Its 990 accepted trips')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Undo import' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(requests.some((request) => request.method === 'DELETE')).toBe(true)
  })

  it('trip files with unknown columns are mapped, previewed and started', async () => {
    const { requests } = fakeServer({
      ...signedIn(),
      ...list(makeImport({ status: 'needs_mapping', asks: ['mapping'], rows_read: 0 })),
      'GET /v2/operators': () => ({ items: [], total: 0, page: 1, size: 300 }),
      [`POST ${imports}/${uuid}/preview`]: ({ body }) => ({
        header: ['ride', 'started'],
        rows: [['r1', '2026-07-03 10:00']],
        layout: null,
        mapping: (body as { mapping: TripMapping | null }).mapping ?? mapping,
        read: [
          { line: 2, trip: { trip_id: 'r1', start_time: '2026-07-03T14:00:00Z' }, flags: [], reason: null },
          { line: 3, trip: null, flags: [], reason: 'No start time' },
        ],
        problems: ['Choose the column with the start time.'],
        asks: ['mapping'],
        stations: null,
        date_orders: [],
      }),
      [`POST ${imports}/${uuid}/start`]: () =>
        new ErrorResponse(422, 'Choose the columns with the start longitude and latitude.'),
    })
    await renderApp(screens, address)
    await userEvent.click(await screen.findByRole('button', { name: 'Map columns' }))
    const dialog = await screen.findByRole('dialog')
    expect(await within(dialog).findByText('Choose the column with the start time.')).toBeInTheDocument()
    expect(within(dialog).getByText('Jul 3, 2026, 10:00 AM')).toBeInTheDocument()
    expect(within(dialog).getByText('Rejected: No start time')).toBeInTheDocument()

    await userEvent.click(within(dialog).getByRole('combobox', { name: 'Start, date and time' }))
    await userEvent.click(await screen.findByRole('option', { name: 'started' }))
    const listPreviews = () =>
      requests
        .filter((request) => request.path.endsWith('/preview'))
        .map((request) => (request.body as { mapping: TripMapping | null }).mapping?.columns)
    await waitFor(() => expect(listPreviews().at(-1)).toEqual({ trip_id: 'ride', start_time: 'started' }))

    await userEvent.click(within(dialog).getByRole('button', { name: 'Import' }))
    expect(
      await within(dialog).findByText('Choose the columns with the start longitude and latitude.'),
    ).toBeInTheDocument()
  })
})
