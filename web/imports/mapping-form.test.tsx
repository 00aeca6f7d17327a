import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ImportRequirement, ImportPreview, TripMapping } from '#contract/imports.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { MappingDialog } from './mapping-dialog.tsx'

const uuid = '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e'
const address = `/v2/regions/port-meridian/imports/${uuid}`
const mapping: TripMapping = {
  columns: { trip_id: 'ride', start_time: 'from' },
  distance_unit: 'm',
  duration_unit: 's',
  date_order: 'ymd',
  operator: 'zip',
  vehicle_type: 'bicycle',
}
const header = ['ride', 'from', 'miles']
const read = (mapping: TripMapping): ImportPreview => ({
  header,
  rows: [
    ['r1', '2026-07-03 10:00', '1.5'],
    ['r2', '', '2'],
  ],
  layout: null,
  mapping,
  read: [
    {
      line: 2,
      trip: {
        trip_id: 'r1',
        start_time: '2026-07-03T14:00:00Z',
        ...(mapping.columns.distance ? { distance_m: 1.5 } : {}),
      },
      flags: [],
      reason: null,
    },
    { line: 3, trip: { trip_id: 'r2', start_time: null }, flags: ['zero_distance'], reason: null },
    { line: 4, trip: null, flags: [], reason: 'No start time' },
  ],
  problems: mapping.columns.distance ? [] : ['Choose the column with the distance.'],
  asks: mapping.columns.distance ? [] : ['mapping'],
  stations: null,
  date_orders: ['mdy', 'dmy'],
})
type Preview = { mapping: TripMapping | null }
const previews = {
  [`POST ${address}/preview`]: ({ body }: { body: unknown }) => read((body as Preview).mapping ?? mapping),
}

afterEach(() => vi.unstubAllGlobals())

async function renderForm(responses: Responses = {}, dialogAsks: readonly ImportRequirement[] = ['mapping']) {
  const onClose = vi.fn<() => void>()
  const screens: ScreenEntry[] = [
    makeScreenEntry('/$regionId/map', 'shell:pages.tripFiles', () => (
      <MappingDialog importUuid={uuid} asks={dialogAsks} onClose={onClose} />
    )),
  ]
  const server = fakeServer({
    ...signedIn(),
    'GET /v2/operators': () => ({ items: [], total: 0, page: 1, size: 300 }),
    ...previews,
    ...responses,
  })
  await renderApp(screens, '/port-meridian/map')
  const dialog = within(await screen.findByRole('dialog', { hidden: true }))
  const listPreviewedMappings = () =>
    server.requests
      .filter((request) => request.path === `${address}/preview`)
      .map((request) => (request.body as Preview).mapping)
  return { ...server, dialog, onClose, asks: listPreviewedMappings }
}
type Dialog = Awaited<ReturnType<typeof renderForm>>['dialog']

async function pick(dialog: Dialog, label: string, option: string) {
  const field = await dialog.findByLabelText(label, { selector: 'input' })
  await userEvent.click(field)
  // Scoped to the list of this field: a query by role over all lists takes seconds.
  await waitFor(() => expect(field).toHaveAttribute('aria-controls'))
  await userEvent.click(
    within(document.getElementById(field.getAttribute('aria-controls')!)!).getByText(option),
  )
}
const listTexts = (dialog: Dialog, name: string) =>
  [...dialog.getByLabelText(name, { selector: 'table' }).querySelectorAll('tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent),
  )

describe('the mapping of a file', () => {
  it('starts with the recognized or remembered mapping, and shows the first rows', async () => {
    const { dialog, asks } = await renderForm()
    expect(await dialog.findByLabelText('Trip id', { selector: 'input' })).toHaveValue('ride')
    expect(dialog.getByLabelText('Distance unit', { selector: 'input' })).toHaveFocus()
    expect(dialog.getByLabelText('Start, date and time', { selector: 'input' })).toHaveValue('from')
    expect(dialog.getByLabelText('Distance', { selector: 'input' })).toHaveValue('')
    expect(dialog.getByLabelText('Operator of all rows', { selector: 'input' })).toHaveValue('zip')
    expect(dialog.getByLabelText('Vehicle type of all rows', { selector: 'input' })).toHaveValue(
      'Electric Bike',
    )
    expect(asks()[0]).toBeNull()
    // The first rows as read with that mapping, each with its result, and the raw rows.
    await waitFor(() =>
      expect(listTexts(dialog, 'First rows, as read')).toEqual([
        ['Line', 'Outcome', 'Trip id', 'Start, date and time'],
        ['2', 'Accepted', 'r1', 'Jul 3, 2026, 10:00 AM'],
        ['3', 'Flagged: Distance of zero', 'r2', ''],
        ['4', 'Rejected: No start time', '', ''],
      ]),
    )
    expect(listTexts(dialog, 'First rows, original')).toEqual([
      header,
      ['r1', '2026-07-03 10:00', '1.5'],
      ['r2', '', '2'],
    ])
  })

  it('reads the rows again after every change, debounced, and clears the errors', async () => {
    const { dialog, asks } = await renderForm()
    expect(await dialog.findByText('Choose the column with the distance.')).toBeInTheDocument()
    await pick(dialog, 'Distance', 'miles')
    await pick(dialog, 'Distance unit', 'mi')
    await waitFor(() =>
      expect(asks().at(-1)).toEqual({
        ...mapping,
        columns: { ...mapping.columns, distance: 'miles' },
        distance_unit: 'mi',
      }),
    )
    await waitFor(() =>
      expect(dialog.queryByText('Choose the column with the distance.')).not.toBeInTheDocument(),
    )
    expect(listTexts(dialog, 'First rows, as read')[0]).toContain('Distance (m)')
  })

  it('clears a column with its clear button', async () => {
    const { dialog, asks } = await renderForm()
    await dialog.findByLabelText('Trip id', { selector: 'input' })
    await userEvent.click(dialog.getByLabelText('No column for Trip id'))
    await waitFor(() => expect(asks().at(-1)?.columns).toEqual({ start_time: 'from' }))
  })

  it('starts the import with the current mapping, without waiting for the rows', async () => {
    const { dialog, requests, onClose } = await renderForm({ [`POST ${address}/start`]: () => ({}) })
    await pick(dialog, 'Distance', 'miles')
    await userEvent.click(dialog.getByText('Import'))
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(requests.find((request) => request.path.endsWith('/start'))?.body).toEqual({
      mapping: { ...mapping, columns: { ...mapping.columns, distance: 'miles' } },
    })
  })

  it('shows the error with its id if the import cannot start, and stays', async () => {
    const { dialog, onClose } = await renderForm({
      [`POST ${address}/start`]: () => new ErrorResponse(422, 'Choose the column with the start time.'),
    })
    await userEvent.click(await dialog.findByText('Import'))
    const alert = await dialog.findByRole('alert')
    expect(alert).toHaveTextContent(
      'The import could not be startedChoose the column with the start time.Error id, for support: quote-me',
    )
    expect(onClose).not.toHaveBeenCalled()
    expect(dialog.getByLabelText('Trip id', { selector: 'input' })).toHaveValue('ride')
  })

  it('asks for confirmation if most rows are outside the region, with the numbers', async () => {
    const responses: unknown[] = [
      new ErrorResponse(409, '7,224 of 7,224 rows lie outside the region.', 'conflict', {
        current: { places: { rows: 7224, outside: 7224, swapped: 0 } },
      }),
      {},
    ]
    const { dialog, requests, onClose } = await renderForm({
      [`POST ${address}/start`]: () => responses.shift(),
    })
    await pick(dialog, 'Date order *', 'Day, month, year')
    await userEvent.click(dialog.getByText('Import'))
    expect(await screen.findByText('7,224 of 7,224 rows lie outside the region.')).toBeInTheDocument()
    expect(onClose).not.toHaveBeenCalled()
    await userEvent.click(screen.getByText('Import these rows anyway'))
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(requests.findLast((request) => request.path.endsWith('/start'))?.body).toEqual({
      mapping: { ...mapping, date_order: 'dmy' },
      accept_outside: true,
    })
  })

  it('shows an error for an unreadable file, and retries', async () => {
    const responses: unknown[] = [new ErrorResponse(500, 'The file is away')]
    const { dialog } = await renderForm({
      [`POST ${address}/preview`]: ({ body }) =>
        responses.shift() ?? read((body as Preview).mapping ?? mapping),
    })
    expect(await dialog.findByRole('alert')).toHaveTextContent('The file is away')
    await userEvent.click(dialog.getByRole('button', { name: 'Try again' }))
    expect(await dialog.findByLabelText('Trip id', { selector: 'input' })).toHaveValue('ride')
  })

  it('the mapping of a file is closed by Cancel and by Esc without starting the import', async () => {
    const { dialog, onClose, requests } = await renderForm()
    await userEvent.click(await dialog.findByText('Cancel'))
    await userEvent.keyboard('{Escape}')
    expect(onClose).toHaveBeenCalledTimes(2)
    expect(requests.some((request) => request.path.endsWith('/start'))).toBe(false)
  })

  it('asks only for the order of dates if all else is known', async () => {
    const known: TripMapping = {
      ...mapping,
      columns: { ...mapping.columns, distance: 'miles' },
      date_order: null,
    }
    const open1 = {
      ...read(known),
      asks: ['date_order' as const],
      problems: ['Dates of the column can be read in more than one order.'],
    }
    const { dialog } = await renderForm({ [`POST ${address}/preview`]: () => open1 }, ['date_order'])
    expect(await dialog.findByText('The date format is ambiguous')).toBeInTheDocument()
    expect(screen.getByRole('dialog', { name: 'Choose date format', hidden: true })).toBeInTheDocument()
    expect(dialog.queryByText('The column mapping is incomplete')).not.toBeInTheDocument()
    // The open question comes before the columns, which are known.
    const [order, id] = ['Date order *', 'Trip id'].map((label) =>
      dialog.getByLabelText(label.replace(' *', ''), { selector: 'input', exact: !label.endsWith('*') }),
    )
    expect(order!.compareDocumentPosition(id!) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  })

  it('accepts a stations file for trips without coordinates, and previews its places', async () => {
    const station: TripMapping = { ...mapping, columns: { ...mapping.columns, start_station: 'from' } }
    let sent = 0
    const { dialog, requests } = await renderForm({
      [`POST ${address}/preview`]: () => ({
        ...read(station),
        stations: sent ? { file_name: 'stations.csv', stations: 120 } : null,
      }),
      [`POST ${address}/stations`]: () =>
        sent++
          ? new ErrorResponse(422, 'The file holds no station with a place.')
          : { stations: 120, skipped: 3 },
    })
    const field = await dialog.findByLabelText('Choose a stations file', { selector: 'input' })
    await userEvent.upload(field, new File(['id,lat,lon'], 'stations.csv'))
    expect(
      await dialog.findByText(
        'stations.csv: 120 stations with coordinates. 3 records have none and were skipped.',
      ),
    ).toBeInTheDocument()
    expect(requests.some((request) => request.path === `${address}/stations`)).toBe(true)
    await userEvent.upload(
      dialog.getByLabelText('Choose another stations file', { selector: 'input' }),
      new File(['x'], 'other.csv'),
    )
    expect(await dialog.findByText('The file holds no station with a place.')).toBeInTheDocument()
  })
})
