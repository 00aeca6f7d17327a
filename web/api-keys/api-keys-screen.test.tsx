import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ApiKey } from '#contract/api-keys.ts'
import { fakeServer } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { ApiKeysScreen } from './api-keys-screen.tsx'
import { getOfferedActions } from './key-table.tsx'

const screens: ScreenEntry[] = [
  makeScreenEntry('/admin/api-keys', 'shell:pages.apiKeys', ApiKeysScreen, 'is_admin'),
]
const testKey = (overrides: Partial<ApiKey> = {}): ApiKey => ({
  key_id: 'k1',
  consumer_id: '7a1c8f0e-3b52-4b1e-9d6f-2c5a9e8b4d10',
  name: 'Dashboard',
  prefix: 'pwk_live_k1',
  hint: 'wxyz',
  scopes: ['geographies:read'],
  region_ids: null,
  operator: null,
  feed_id: null,
  feed_name: null,
  cidrs: [],
  rate_class: 'standard',
  state: 'active',
  owner_email: 'ada@city.example',
  created_by: 'ada@city.example',
  created_time: '2026-03-01T12:00:00.000Z',
  expires_time: '2027-03-01T12:00:00.000Z',
  revoked_time: null,
  revoked_by: null,
  last_used_time: null,
  calls: 12,
  refused: 1,
  ...overrides,
})

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1400)
})
afterEach(() => vi.unstubAllGlobals())

async function renderScreen(keys: readonly ApiKey[]) {
  const created = { key: testKey({ key_id: 'k2' }), secret: 'pwk_live_k2_secret' }
  const server = fakeServer({
    ...signedIn(),
    'GET /v2/managed_operators': () => [],
    'GET /v2/api_keys': () => ({ items: keys, max_days: 730, default_days: 365 }),
    'POST /v2/api_keys': () => created,
    'POST /v2/api_keys/k1/rotate': () => created,
    'DELETE /v2/api_keys/k1': () => testKey({ state: 'revoked' }),
  })
  await renderApp(screens, '/admin/api-keys')
  return () =>
    server.requests
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path, body }) => [method, path, body])
}
const findDialog = async () => within(await screen.findByRole('dialog', { hidden: true }))

it('creates a key with the chosen scopes, and shows it once', async () => {
  const changes = await renderScreen([])
  await userEvent.click((await screen.findAllByText('Create a key'))[0]!)
  const form = await findDialog()
  await userEvent.click(form.getByLabelText(/^Name/))
  await userEvent.paste(' Dashboard ')
  await userEvent.click(form.getByLabelText('Read layers and their areas'))
  await userEvent.click(form.getByText('Create key'))
  expect(await screen.findByDisplayValue('pwk_live_k2_secret')).toBeInTheDocument()
  expect(changes()).toMatchObject([
    [
      'POST',
      '/v2/api_keys',
      { name: 'Dashboard', scopes: ['geographies:read'], region_ids: null, expires_days: 365, cidrs: [] },
    ],
  ])
  await userEvent.click(screen.getByText('I have stored it'))
  expect(screen.queryByDisplayValue('pwk_live_k2_secret')).not.toBeInTheDocument()
})

it('asks before a new key is closed that was not copied', async () => {
  await renderScreen([])
  const showKey = async () => {
    await userEvent.click((await screen.findAllByText('Create a key'))[0]!)
    const form = await findDialog()
    await userEvent.click(form.getByLabelText(/^Name/))
    await userEvent.paste('Dashboard')
    await userEvent.click(form.getByLabelText('Read layers and their areas'))
    await userEvent.click(form.getByText('Create key'))
    const copy = await screen.findByRole('button', { name: 'Copy: API key', hidden: true })
    await waitFor(() => expect(copy).toHaveFocus())
    return copy
  }
  await showKey()
  await userEvent.keyboard('{Escape}')
  expect(await screen.findByText('Close without copying?')).toBeInTheDocument()
  await userEvent.click(screen.getByText('Cancel'))
  expect(await screen.findByDisplayValue('pwk_live_k2_secret')).toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await userEvent.click((await findDialog()).getByText('Close'))
  expect(screen.queryByText('Close without copying?')).not.toBeInTheDocument()
  expect(screen.queryByDisplayValue('pwk_live_k2_secret')).not.toBeInTheDocument()

  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: vi.fn() } })
  await userEvent.click(await showKey())
  await screen.findByText('Copied')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByDisplayValue('pwk_live_k2_secret')).not.toBeInTheDocument())
  expect(screen.queryByText('Close without copying?')).not.toBeInTheDocument()
})

it('lists keys with their state and use, and revokes one after confirmation', async () => {
  const changes = await renderScreen([testKey({ state: 'expiring' })])
  const row = (await screen.findByText('Dashboard')).closest('tr')
  expect(row).toHaveTextContent('Expires soon')
  expect(row).toHaveTextContent('geographies:read')
  expect(row).toHaveTextContent('Never')
  await userEvent.click(screen.getByLabelText('Actions for Dashboard'))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Revoke', hidden: true }))
  const confirmation = await findDialog()
  expect(changes()).toEqual([])
  await userEvent.click(confirmation.getByRole('button', { name: 'Revoke', hidden: true }))
  await waitFor(() => expect(changes()).toEqual([['DELETE', '/v2/api_keys/k1', null]]))
})

it('offers only actions that the server does not refuse', () => {
  expect(getOfferedActions(testKey(), 'ada@city.example')).toEqual(['rotate', 'revoke'])
  expect(getOfferedActions(testKey({ owner_email: null }), 'ada@city.example')).toEqual([
    'rotate',
    'takeOver',
    'revoke',
  ])
  expect(getOfferedActions(testKey({ state: 'revoked' }), 'ada@city.example')).toEqual([])
})
