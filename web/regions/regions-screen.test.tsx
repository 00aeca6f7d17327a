import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { RegionsScreen } from './regions-screen.tsx'

const screens: ScreenEntry[] = [
  makeScreenEntry('/admin/regions', 'shell:pages.regions', RegionsScreen, 'is_admin'),
]

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800)
})
afterEach(() => vi.unstubAllGlobals())

it('adds a region with an id that follows its name', async () => {
  const { requests } = fakeServer({ ...signedIn(), 'POST /v2/regions': ({ body }) => body })
  await renderApp(screens, '/admin/regions')
  await userEvent.click(await screen.findByRole('button', { name: 'Add a region' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.type(within(dialog).getByLabelText(/^Name/), 'Fair Haven')
  await userEvent.type(within(dialog).getByLabelText(/^Latitude/), '41.5')
  await userEvent.type(within(dialog).getByLabelText(/^Longitude/), '-72.5')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create region' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(requests.find((request) => request.method === 'POST')?.body).toMatchObject({
    regionId: 'fair-haven',
    text: 'Fair Haven',
    lat: 41.5,
    lon: -72.5,
    isMetric: false,
    currencyCode: 'USD',
  })
})

it('changes a region, and shows what the server refused', async () => {
  const { requests } = fakeServer({
    ...signedIn(),
    'PATCH /v2/regions/ashford': () => new ErrorResponse(422, 'Not an IANA time zone'),
  })
  await renderApp(screens, '/admin/regions')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Ashford' }))
  const dialog = await screen.findByRole('dialog', { name: 'Edit Ashford' })
  expect(within(dialog).getByLabelText(/^Id/)).toHaveAttribute('readonly')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(await within(dialog).findByText('Not an IANA time zone')).toBeInTheDocument()
  expect(requests.find((request) => request.method === 'PATCH')?.body).not.toHaveProperty('regionId')
})
