import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Calibration } from '#contract/curb-calibration.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { Calibrations } from './calibrations.tsx'

const api = '/v2/regions/port-meridian/curb/calibrations'
const today = '2026-06-20'
const makeCalibration = (overrides: Partial<Calibration> = {}): Calibration => ({
  calibration_id: '21111111-ceea-467f-a0e6-7a1d2b3c4d5e',
  name: 'Spring survey',
  zone_ids: null,
  bands: [{ key: '08:00 – 11:00', from: 480, until: 660 }],
  day_types: [{ key: 'weekday', weekdays: [1, 2, 3, 4, 5] }],
  start_date: '2026-05-05',
  end_date: '2026-05-07',
  cells: [
    {
      band: '08:00 – 11:00',
      day_type: 'weekday',
      k: 1.618,
      interval: [1.4, 1.9],
      n: 18,
      counted_hours: 162.04,
      paid_hours: 100,
    },
    {
      band: '08:00 – 11:00',
      day_type: 'market days',
      k: null,
      interval: null,
      n: 0,
      counted_hours: 3,
      paid_hours: 0,
    },
  ],
  valid_from: '2024-05-05',
  valid_until: '2028-05-08',
  is_expired: false,
  expired: null,
  created_by: 'ann@city.example',
  created_time: '2026-05-08T12:00:00.000Z',
  ...overrides,
})

afterEach(() => vi.unstubAllGlobals())

async function renderCalibrations(items: readonly Calibration[], responses: Responses = {}, canEdit = true) {
  const server = fakeServer({ ...signedIn(), [`GET ${api}`]: () => ({ items }), ...responses })
  await renderApp(
    [
      {
        path: '/$regionId/calibrations',
        title: 'shell:pages.occupancyCounts',
        permission: 'signed_in',
        Screen: () => <Calibrations regionId="port-meridian" canEdit={canEdit} today={today} />,
      },
    ],
    '/port-meridian/calibrations',
  )
  await screen.findByRole('heading', { name: 'Calibrations' })
  return () => server.requests.filter(({ method }) => method !== 'GET').map(({ path, body }) => [path, body])
}
const openDialog = async (button: string) => {
  await userEvent.click(await screen.findByRole('button', { name: button }))
  return within(await screen.findByRole('dialog'))
}

describe('the list of calibrations', () => {
  it('shows the ratio by band and days with its interval, and no ratio without payments', async () => {
    await renderCalibrations([makeCalibration()])
    const rows = within(await screen.findByRole('table', { name: 'Spring survey' })).getAllByRole('row')
    const texts = rows.slice(1).map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    )
    expect(texts).toEqual([
      ['8:00 AM – 11:00 AM', 'Monday to Friday', '1.62', '1.4 – 1.9', '18', '162', '100'],
      ['8:00 AM – 11:00 AM', 'market days', 'n/a', 'n/a', '0', '3', '0'],
    ])
  })

  it('shows what was counted, where, and the last day of validity', async () => {
    await renderCalibrations([makeCalibration()])
    const text = await screen.findByText(/Counted from 2026-05-05 to 2026-05-07/)
    // The end is exclusive in the API.
    expect(text).toHaveTextContent('All zones · valid from 2024-05-05 to 2028-05-07 · created by ann@')
    expect(text).toHaveTextContent('May 8, 2026, 8:00 AM')
    expect(screen.queryByText(/recorded by/)).toBeNull()
  })

  it('shows which change ended a calibration, and who recorded it', async () => {
    await renderCalibrations([
      makeCalibration({
        zone_ids: ['z1', 'z2'],
        is_expired: true,
        expired: { kind: 'payment', day: '2026-06-01', note: 'New app.', by: 'ben@city.example', time: '' },
      }),
    ])
    expect(await screen.findByText(/2 zones · was valid from/)).toBeInTheDocument()
    expect(
      screen.getByText('Change of payment on 2026-06-01, recorded by ben@city.example. New app.'),
    ).toBeInTheDocument()
  })

  it('explains what to do if it is empty, and has no buttons for viewers', async () => {
    await renderCalibrations([], {}, false)
    expect(await screen.findByText('No calibration yet')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Create calibration' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Record a change' })).toBeNull()
  })

  it('shows why it cannot be loaded', async () => {
    await renderCalibrations([], { [`GET ${api}`]: () => new ErrorResponse(500, 'The store is down.') })
    expect(await screen.findByRole('alert')).toHaveTextContent('The store is down.')
  })
})

describe('a new calibration', () => {
  it('covers the last 90 days by time bands, and closes the dialog once it is created', async () => {
    const sent = await renderCalibrations([], { [`POST ${api}`]: () => makeCalibration() })
    const dialog = await openDialog('Create calibration')
    const create = dialog.getByRole('button', { name: 'Create calibration' })
    await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), '  ')
    expect(create).toBeDisabled()
    await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Spring ')
    await userEvent.click(create)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent()).toEqual([
      [
        api,
        {
          name: 'Spring',
          bands: [
            { key: '08:00 – 11:00', from: 480, until: 660 },
            { key: '11:00 – 17:00', from: 660, until: 1020 },
            { key: '17:00 – 20:00', from: 1020, until: 1200 },
          ],
          day_types: [
            { key: 'weekday', weekdays: [1, 2, 3, 4, 5] },
            { key: 'weekend', weekdays: [6, 7] },
          ],
          start_date: '2026-03-22',
          end_date: today,
        },
      ],
    ])
  })

  it('a new calibration can have one ratio for the whole day; an error stays in the dialog', async () => {
    const sent = await renderCalibrations([], {
      [`POST ${api}`]: () => new ErrorResponse(409, 'Nothing was counted.'),
    })
    const dialog = await openDialog('Create calibration')
    await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Day')
    await userEvent.click(dialog.getByRole('checkbox', { name: /One ratio per time band/ }))
    await userEvent.click(dialog.getByRole('button', { name: 'Create calibration' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'The calibration was not createdNothing was counted.',
    )
    expect(sent()[0]?.[1]).toMatchObject({ bands: [{ key: '00:00 – 24:00', from: 0, until: 1440 }] })
  })

  it.each([
    ['Counts from', '2026-06-21'],
    ['Counts from', ''],
    ['Counts to', '2026-01-01'],
    ['Counts to', ''],
  ])('a new calibration cannot be created with %s “%s”', async (label, value) => {
    await renderCalibrations([])
    const dialog = await openDialog('Create calibration')
    await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Spring')
    expect(dialog.getByRole('button', { name: 'Create calibration' })).toBeEnabled()
    fireEvent.change(dialog.getByLabelText(label), { target: { value } })
    expect(dialog.getByRole('button', { name: 'Create calibration' })).toBeDisabled()
  })
})

it('records a change with its kind, day and note', async () => {
  const sent = await renderCalibrations([], { [`POST ${api}/changes`]: () => ({ expired: 1 }) })
  const dialog = await openDialog('Record a change')
  await userEvent.click(dialog.getByLabelText('What changed', { selector: 'input' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Change of enforcement', hidden: true }))
  fireEvent.change(dialog.getByLabelText('Day of the change'), { target: { value: '' } })
  expect(dialog.getByRole('button', { name: 'Record change' })).toBeDisabled()
  fireEvent.change(dialog.getByLabelText('Day of the change'), { target: { value: '2026-06-01' } })
  await userEvent.type(dialog.getByLabelText('Note'), 'Two more officers')
  await userEvent.click(dialog.getByRole('button', { name: 'Record change' }))
  await waitFor(() =>
    expect(sent()).toEqual([
      [`${api}/changes`, { kind: 'enforcement', day: '2026-06-01', note: 'Two more officers' }],
    ]),
  )
})
