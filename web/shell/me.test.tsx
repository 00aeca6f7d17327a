import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import { permissionKeys } from '#contract/permission.ts'
import { parseGrants, useMe } from './me.tsx'
import type { ScreenEntry } from './screen-entry.ts'
import { renderApp, makeScreenEntry } from './test-frame.tsx'
import { signedIn, testRegion } from './test-responses.ts'

function Keys() {
  const { user, can } = useMe()
  return (
    <h1>
      {user.name}: {(['is_admin', 'edit_geography'] as const).filter(can).join(', ') || 'nothing'}
    </h1>
  )
}
const screens: ScreenEntry[] = [
  makeScreenEntry('/', 'shell:pages.home', () => <h1>Root</h1>),
  makeScreenEntry('/$regionId/keys', 'shell:pages.home', Keys),
]

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

describe('the signed-in user', () => {
  it('the signed-in user has the permissions from the server', async () => {
    fakeServer(signedIn(['edit_geography']))
    await renderApp(screens, '/port-meridian/keys')
    expect(await screen.findByRole('heading', { name: 'Ada: edit_geography' })).toBeInTheDocument()
  })

  it('the signed-in user has no permission that the server does not list', async () => {
    const consoleError = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    fakeServer({
      ...signedIn(),
      'GET /v2/users/me/permissions': () => [{ key: 'something_new', enabled: true }],
    })
    await renderApp(screens, '/port-meridian/keys')
    expect(await screen.findByRole('heading', { name: 'Ada: nothing' })).toBeInTheDocument()
    expect(consoleError).toHaveBeenCalledWith(
      'The permission key something_new is unknown and counts as off.',
    )
    expect(consoleError).toHaveBeenCalledWith('The permission key is_admin is unknown and counts as off.')
  })

  it('the signed-in user is remembered without a token', async () => {
    fakeServer({
      ...signedIn(),
      'GET /v2/users/me': () => ({ ...signedIn()['GET /v2/users/me'](), token: 'secret' }),
    })
    await renderApp(screens, '/port-meridian/keys')
    await screen.findByRole('heading', { name: /^Ada/ })
    expect(JSON.parse(localStorage.getItem('publicway.user') ?? '')).toMatchObject({
      id: 'u1',
      email: 'ada@city.example',
    })
    expect(localStorage.getItem('publicway.user')).not.toContain('secret')
  })

  it.each([[null], [{}]])('the signed-in user cannot be %j, which is an error', async (response) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    fakeServer({ ...signedIn(), 'GET /v2/users/me': () => response })
    await renderApp(screens, '/port-meridian/keys')
    expect(
      await screen.findByText('An error has occurred and has been logged. Please reload the page.'),
    ).toBeInTheDocument()
  })

  it('the signed-in user must pass the gate if a room provides one', async () => {
    fakeServer(signedIn())
    const Gate = ({ children }: { children: ReactNode }) => {
      const [isOpen, setOpen] = useState(false)
      const { user } = useMe()
      return isOpen ? (
        children
      ) : (
        <button type="button" onClick={() => setOpen(true)}>
          Let {user.name} in
        </button>
      )
    }
    await renderApp(screens, '/port-meridian/keys', {}, { Gate })
    const gate = await screen.findByRole('button', { name: 'Let Ada in' })
    expect(screen.queryByRole('heading')).not.toBeInTheDocument()
    await userEvent.click(gate)
    expect(await screen.findByRole('heading', { name: /^Ada/ })).toBeInTheDocument()
  })

  it('the signed-in user is requested again after an error', async () => {
    const responses = [new ErrorResponse(503, 'The state store is away'), signedIn()['GET /v2/users/me']()]
    fakeServer({
      ...signedIn(),
      'GET /v2/users/me': () => (responses.length > 1 ? responses.shift() : responses[0]),
    })
    await renderApp(screens, '/port-meridian/keys')
    expect(await screen.findByRole('alert')).toHaveTextContent('The state store is away')
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: /^Ada/ })).toBeInTheDocument()
  })
})

describe('the region', () => {
  it('shows a load error within the frame', async () => {
    const responses = [new ErrorResponse(500, 'Not now'), testRegion('port-meridian', 'Port Meridian')]
    fakeServer({
      ...signedIn(),
      'GET /v2/regions/port-meridian': () => (responses.length > 1 ? responses.shift() : responses[0]),
    })
    await renderApp(screens, '/port-meridian/keys')
    expect(await screen.findByRole('alert')).toHaveTextContent('Not now')
    expect(screen.getByRole('button', { name: 'Settings' })).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: /^Ada/ })).toBeInTheDocument()
  })

  it('the region is removed from storage when refused, and the root redirects', async () => {
    localStorage.setItem('publicway.region', 'gone')
    fakeServer({ ...signedIn(), 'GET /v2/regions/gone': () => new ErrorResponse(403, 'Forbidden') })
    const router = await renderApp(screens, '/gone/keys')
    expect(await screen.findByRole('heading', { name: 'Root' })).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/')
    expect(localStorage.getItem('publicway.region')).toBeNull()
  })
})

const allGrants = permissionKeys.map((key) => ({ key: key as string, enabled: true }))

describe('the list of permissions', () => {
  it('grants only what is enabled', () => {
    const { can, unknownKeys: unknown } = parseGrants(
      allGrants.map((grant) => ({ ...grant, enabled: grant.key === 'edit_policy' })),
    )
    expect(permissionKeys.filter(can)).toEqual(['edit_policy'])
    expect(unknown).toEqual([])
  })

  it('reports an unknown key and does not grant it', () => {
    const { can, unknownKeys: unknown } = parseGrants([...allGrants, { key: 'fly', enabled: true }])
    expect(unknown).toEqual(['fly'])
    expect(can('fly' as never)).toBe(false)
    expect(permissionKeys.every(can)).toBe(true)
  })

  it('reports a missing key and does not grant it', () => {
    const { can, unknownKeys: unknown } = parseGrants(allGrants.slice(1))
    expect(unknown).toEqual(['is_admin'])
    expect(can('is_admin')).toBe(false)
  })
})
