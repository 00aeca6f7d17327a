import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Shape } from '#contract/geography.ts'
import { fakeServer, Refusal } from '#web/data/fake-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-replies.ts'
import { ShapeRow } from './shape-row.tsx'

const uuid = '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e'
const address = `/v2/regions/port-meridian/shapes/${uuid}`
const shape: Shape = {
  shape_uuid: uuid, shape_id: '1', shape_name: 'Old Town', shape_description: null, shape_layer_uuid: uuid, geom: { type: 'Point', coordinates: [0, 0] }, properties: {}, created_time: 'x', modified_time: 'x',
  side_of_street: null,
}
const ring = [[0, 0], [1, 0], [1, 1], [0, 0]]
const versions = [
  { geom: { type: 'Polygon', coordinates: [ring] }, valid_from: '2026-06-01T12:00:00Z', valid_until: null, changed_by: 'Ada' },
  { geom: { type: 'Point', coordinates: [0, 0] }, valid_from: '2025-01-01T12:00:00Z', valid_until: '2026-06-01T12:00:00Z', changed_by: null },
]

afterEach(() => vi.unstubAllGlobals())

async function open(replies: Parameters<typeof fakeServer>[0] = {}) {
  const screens: ScreenEntry[] = [{ path: '/$regionId/shape', title: 'shell:pages.geographies', permission: 'signed_in', Screen: () => <ul><ShapeRow shape={shape} regionId="port-meridian" mayEdit /></ul> }]
  const server = fakeServer({ ...signedIn(), ...replies })
  await renderApp(screens, '/port-meridian/shape')
  await screen.findByText('Old Town')
  return server
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

describe('a shape', () => {
  it('is renamed with Enter, from the name it has', async () => {
    const { asked } = await open({ [`PATCH ${address}`]: () => shape })
    await press('Rename Old Town')
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename Old Town' }))
    const field = dialog.getByLabelText(/^Name/)
    expect(field).toHaveValue('Old Town')
    await userEvent.clear(field)
    await userEvent.type(field, 'New Town{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(asked.find((one) => one.method === 'PATCH')?.body).toEqual({ shape_name: 'New Town' })
  })

  it('that cannot be renamed says why with the id to quote, and keeps what was typed', async () => {
    await open({ [`PATCH ${address}`]: () => new Refusal(409, 'Another shape is called so') })
    await press('Rename Old Town')
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByLabelText(/^Name/), ' 2{Enter}')
    expect(await dialog.findByRole('alert')).toHaveTextContent('This could not be savedAnother shape is called soQuote this id when you report it: quote-me')
    expect(dialog.getByLabelText(/^Name/)).toHaveValue('Old Town 2')
  })

  it('stays as it is when its renaming is left by Esc', async () => {
    const { asked } = await open()
    await press('Rename Old Town')
    await userEvent.type(within(await screen.findByRole('dialog')).getByLabelText(/^Name/), 'x')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(asked.some((one) => one.method === 'PATCH')).toBe(false)
    await press('Rename Old Town')
    expect(within(await screen.findByRole('dialog')).getByLabelText(/^Name/)).toHaveValue('Old Town')
  })

  it('is deleted only after the question was answered', async () => {
    const { asked } = await open({ [`DELETE ${address}`]: () => ({ deleted: 1 }) })
    await press('Delete Old Town')
    const question = within(await screen.findByRole('dialog', { name: 'Delete Old Town' }))
    expect(question.getByText(/The shape and its history will be deleted/)).toBeInTheDocument()
    await userEvent.click(question.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(asked.some((one) => one.method === 'DELETE')).toBe(false)
    await press('Delete Old Town')
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(asked.filter((one) => one.method === 'DELETE').map((one) => one.path)).toEqual([address])
  })

  it('tells its history, newest first, and hides it again', async () => {
    await open({ [`GET ${address}/history`]: () => ({ items: versions, total: 2, page: 1, size: 50 }) })
    await press('History of Old Town')
    expect(await screen.findByText('Since Jun 1, 2026, 8:00 AM')).toBeInTheDocument()
    expect(screen.getByText('by Ada')).toBeInTheDocument()
    expect(screen.getByText('Jan 1, 2025, 7:00 AM to Jun 1, 2026, 8:00 AM')).toBeInTheDocument()
    expect(screen.getAllByRole('img').map((drawing) => drawing.getAttribute('aria-label'))).toEqual(['Geometry from Jun 1, 2026, 8:00 AM', 'Geometry from Jan 1, 2025, 7:00 AM'])
    expect(screen.getByRole('button', { name: 'History of Old Town' })).toHaveAttribute('aria-expanded', 'true')
    await press('History of Old Town')
    expect(screen.queryByText('by Ada')).not.toBeInTheDocument()
  })

  it('whose history does not come says so, and asks again', async () => {
    const answers: unknown[] = [new Refusal(500, 'Not now')]
    await open({ [`GET ${address}/history`]: () => answers.shift() ?? { items: versions, total: 2, page: 1, size: 50 } })
    await press('History of Old Town')
    expect(await screen.findByRole('alert')).toHaveTextContent('Not now')
    await press('Try again')
    expect(await screen.findByText('by Ada')).toBeInTheDocument()
  })
})
