import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { ImportCard } from './import-card.tsx'

const uuid = '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e'
const defaultImport: Import = {
  import_uuid: uuid,
  region_id: 'port-meridian',
  file_name: 'july.csv',
  bytes: 48_234_123,
  kind: 'trips',
  asks: [],
  status: 'done',
  layout: 'MDS trips',
  rows_read: 0,
  rows_accepted: 0,
  rows_flagged: 0,
  rows_rejected: 0,
  flags: {},
  reasons: {},
  progress: 1,
  rows_per_second: null,
  seconds_left: null,
  problem: null,
  notes: [],
  created_time: '2026-11-20T15:00:00Z',
  finished_time: null,
  created_by: null,
  same_as: null,
}
afterEach(() => vi.unstubAllGlobals())

async function show(overrides: Partial<Import>, responses: Responses = {}) {
  const onMap = vi.fn<() => void>()
  const screens: ScreenEntry[] = [
    {
      path: '/$regionId/card',
      title: 'shell:pages.tripFiles',
      permission: 'signed_in',
      Screen: () => <ImportCard imported={{ ...defaultImport, ...overrides }} onMap={onMap} />,
    },
  ]
  const server = fakeServer({ ...signedIn(), ...responses })
  await renderApp(screens, '/port-meridian/card')
  return { card: within(await screen.findByRole('article', { name: 'july.csv' })), onMap, ...server }
}

describe('an import', () => {
  it('shows the file and when it was received, in local time', async () => {
    const { card } = await show({})
    expect(card.getByText('Trips · MDS trips · 48.2 MB · Nov 20, 2026, 10:00 AM')).toBeInTheDocument()
    expect(card.queryByText('Rows read')).not.toBeInTheDocument()
  })

  it('waits in the queue', async () => {
    const { card } = await show({ status: 'queued', progress: 0 })
    expect(card.getByText('Waiting for its turn')).toBeInTheDocument()
    expect(card.getByRole('progressbar', { name: 'Importing july.csv' })).toHaveAttribute(
      'aria-valuenow',
      '0',
    )
  })

  it('shows its rate and remaining time once they are known', async () => {
    const { card } = await show({ status: 'running', progress: 0.051 })
    expect(card.getByText('5.1%')).toBeInTheDocument()
    expect(card.getByText('Running')).toBeInTheDocument()
  })

  it('an import can be canceled while it waits or runs, with texts for each', async () => {
    const { card } = await show({ status: 'running', rows_accepted: 40_000 })
    await userEvent.click(card.getByRole('button', { name: 'Cancel the import of july.csv' }))
    expect(await screen.findByText(/^The import stops\. Rows stored so far \(40,000\)/)).toBeInTheDocument()
  })

  it('shows that it is being removed, without actions', async () => {
    const { card: canceled } = await show({ status: 'canceling', progress: 0.2 })
    expect(canceled.getByText('Removing stored rows')).toBeInTheDocument()
    expect(canceled.queryByRole('button')).not.toBeInTheDocument()
  })

  it('requires a mapping', async () => {
    const { card, onMap } = await show({ status: 'needs_mapping', asks: ['mapping'], layout: null })
    await userEvent.click(card.getByRole('button', { name: 'Map columns' }))
    expect(onMap).toHaveBeenCalledOnce()
    expect(card.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
  })

  it.each([
    ['stations', 'Upload stations'],
    ['date_order', 'Choose date format'],
    ['outside_region', 'Check locations'],
  ] as const)('an import that only requires %s says so on its button', async (ask, text) => {
    const { card } = await show({ status: 'needs_mapping', asks: [ask] })
    expect(card.getByRole('button', { name: text })).toBeInTheDocument()
    expect(card.queryByRole('button', { name: 'Map columns' })).not.toBeInTheDocument()
  })

  it('an import of vehicles shows what is missing, and asks for it', async () => {
    const { card, onMap } = await show({
      status: 'needs_mapping',
      kind: 'snapshot',
      asks: ['snapshot_time', 'operator'],
      layout: 'CSV',
    })
    expect(
      card.getByText(
        'The file does not say when the vehicles were at these locations. The file does not say which operator the vehicles belong to.',
      ),
    ).toBeInTheDocument()
    await userEvent.click(card.getByRole('button', { name: 'Add missing details' }))
    expect(onMap).toHaveBeenCalledOnce()
  })

  it('an import of 311 issues is named, has no flags, and has its own texts for removal', async () => {
    const { card } = await show({
      kind: 'issues',
      layout: 'JSON',
      rows_read: 135,
      rows_accepted: 134,
      rows_rejected: 1,
      reasons: { no_issue_id: 1 },
      notes: ['3 issues were new or changed.'],
    })
    expect(card.getByText('311 issues · JSON · 48.2 MB · Nov 20, 2026, 10:00 AM')).toBeInTheDocument()
    expect(card.getByText('No case number: 1')).toBeInTheDocument()
    expect(card.queryByText('Accepted with a flag')).not.toBeInTheDocument()
    await userEvent.click(card.getByRole('button', { name: 'Undo import of july.csv' }))
    expect(await screen.findByRole('dialog')).toHaveTextContent(
      'issues that no other file contains are deleted',
    )
  })

  it('an import that failed shows why and what was stored, and can continue', async () => {
    const { card, requests } = await show(
      { status: 'failed', problem: 'The file ends in row 7. The 6 before it are kept.' },
      { [`POST /v2/regions/port-meridian/imports/${uuid}/retry`]: () => defaultImport },
    )
    expect(card.getByRole('alert')).toHaveTextContent('The 6 before it are kept.')
    await userEvent.click(card.getByRole('button', { name: 'Try again' }))
    expect(requests.at(-1)?.path).toMatch(/retry$/)
  })

  it('shows an error if it cannot continue', async () => {
    const { card } = await show(
      { status: 'failed' },
      {
        [`POST /v2/regions/port-meridian/imports/${uuid}/retry`]: () =>
          new ErrorResponse(409, 'Another import runs'),
      },
    )
    await userEvent.click(card.getByRole('button', { name: 'Try again' }))
    expect(await card.findByText('Another import runs')).toBeInTheDocument()
  })

  it('an import of a known file shows that nothing changed', async () => {
    const { card } = await show({ same_as: uuid, notes: ['3 columns with personal data were not kept'] })
    expect(card.getByText('The same file was imported before. Nothing changed.')).toBeInTheDocument()
    expect(card.getByText('3 columns with personal data were not kept')).toBeInTheDocument()
  })

  it('shows reasons, most frequent first; unknown ones as they are', async () => {
    const { card } = await show({
      rows_read: 20,
      rows_rejected: 9,
      reasons: { bad_coordinate: 2, something_new: 7 },
    })
    expect(card.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'something_new: 7',
      'A coordinate is not a number: 2',
    ])
  })

  it('shows an error if it cannot be removed, and stays', async () => {
    const { card } = await show(
      {},
      {
        [`DELETE /v2/regions/port-meridian/imports/${uuid}`]: () =>
          new ErrorResponse(409, 'It is being read'),
      },
    )
    await userEvent.click(card.getByRole('button', { name: 'Undo import of july.csv' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Undo import' }))
    expect(await dialog.findByText('It is being read')).toBeInTheDocument()
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(card.getByText('Done')).toBeInTheDocument()
  })
})
