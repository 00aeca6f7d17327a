import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import { sessionEnd } from '#web/data/signals.ts'
import { HomeScreen } from './home-screen.tsx'
import { useRegion } from './region.tsx'
import type { ScreenEntry } from './screen-entry.ts'
import { renderApp, makeScreenEntry } from './test-frame.tsx'
import { signedIn } from './test-responses.ts'

const RegionName = () => <h1>In {useRegion().text}</h1>
const screens: ScreenEntry[] = [
  makeScreenEntry('/', 'shell:pages.home', HomeScreen),
  makeScreenEntry('/login', 'shell:pages.login', () => <h1>Sign in</h1>, 'public'),
  makeScreenEntry('/$regionId/mobility/maps/trips', 'evaluation:maps.trips', RegionName),
  makeScreenEntry(
    '/$regionId/mobility/trip-files',
    'shell:pages.tripFiles',
    () => <h1>Files</h1>,
    'is_admin',
  ),
]
const redirects = { '/': '/$regionId/mobility/maps/trips' }

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

describe('the frame', () => {
  it('redirects from / to the first region, and stores it', async () => {
    fakeServer(signedIn())
    const router = await renderApp(screens, '/', redirects)
    expect(await screen.findByRole('heading', { name: 'In Port Meridian' })).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/port-meridian/mobility/maps/trips')
    expect(document.title).toBe('Mobility Manager · Trips')
    expect(localStorage.getItem('publicway.region')).toBe('port-meridian')
  })

  it('redirects from a region that the user may not see to another', async () => {
    fakeServer({ ...signedIn(), 'GET /v2/regions/elsewhere': () => new ErrorResponse(404, 'Not Found') })
    await renderApp(screens, '/elsewhere/mobility/maps/trips', redirects)
    expect(await screen.findByRole('heading', { name: 'In Port Meridian' })).toBeInTheDocument()
  })

  it('redirects to the sign-in page with the origin when the session has ended', async () => {
    fakeServer({ 'GET /v2/users/me': () => new ErrorResponse(401, 'Unauthorized') })
    const router = await renderApp(screens, '/port-meridian/mobility/maps/trips?layer=x', redirects)
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeInTheDocument()
    expect(router.state.location.search).toEqual({ origin: '/port-meridian/mobility/maps/trips?layer=x' })
  })

  it('hides pages of administrators from others', async () => {
    fakeServer(signedIn([]))
    await renderApp(screens, '/port-meridian/mobility/trip-files', redirects)
    expect(await screen.findByText(/can’t seem to find/)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Import data' })).not.toBeInTheDocument()
  })

  it('explains that the user has no region', async () => {
    fakeServer({ ...signedIn([]), 'GET /v2/regions': () => ({ items: [], total: 0, page: 1, size: 10 }) })
    await renderApp(screens, '/', redirects)
    expect(
      await screen.findByRole('heading', { level: 1, name: 'You do not have access to any Regions' }),
    ).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Contact the team' }))
    expect(await screen.findByRole('dialog', { name: 'Contact the team' })).toHaveTextContent(
      'Please give me access to',
    )
  })

  it('opens the drawer of an area, marks the page, and closes with Esc', async () => {
    fakeServer(signedIn())
    await renderApp(screens, '/port-meridian/mobility/maps/trips', redirects)
    await userEvent.click(await screen.findByRole('button', { name: 'Maps' }))
    expect(screen.getByRole('link', { name: 'Trips' })).toHaveAttribute('aria-current', 'page')
    expect(screen.getByRole('link', { name: 'Live' })).not.toHaveAttribute('aria-current')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Live' })).not.toBeInTheDocument())
  })

  it('moves the focus to the new page if the drawer with the link is gone', async () => {
    fakeServer(signedIn())
    const router = await renderApp(
      [...screens, makeScreenEntry('/$regionId/mobility/maps/live', 'shell:pages.live', () => <h1>Live</h1>)],
      '/port-meridian/mobility/maps/trips',
      redirects,
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Maps' }))
    await userEvent.click(screen.getByRole('link', { name: 'Live' }))
    expect(await screen.findByRole('heading', { name: 'Live' })).toBeInTheDocument()
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus())
    await act(() => router.navigate({ to: '/port-meridian/mobility/trip-files' }))
    act(() => screen.getByRole('button', { name: 'Settings' }).focus())
    await act(() => router.navigate({ to: '/port-meridian/mobility/maps/live' }))
    expect(screen.getByRole('button', { name: 'Settings' })).toHaveFocus()
  })

  it('searches regions 300 ms after the last key', async () => {
    const { requests } = fakeServer(signedIn())
    await renderApp(screens, '/port-meridian/mobility/maps/trips', redirects)
    await userEvent.click(await screen.findByRole('button', { name: 'Region: Port Meridian' }))
    await userEvent.type(await screen.findByLabelText('Search regions'), 'ash')
    expect(await screen.findByRole('link', { name: 'Ashford' })).toBeInTheDocument()
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Port Meridian' })).not.toBeInTheDocument())
    const texts = requests.filter((one) => one.path === '/v2/regions').map((one) => one.query.get('text'))
    expect(texts).toEqual([null, 'ash'])
  })
})

describe('the end of the session', () => {
  const trips = '/port-meridian/mobility/maps/trips'
  const signOutResponse = { 'POST /api/auth/sign-out': () => ({}) }
  const renderShell = async (responses: Responses) => {
    const { requests } = fakeServer({ ...signedIn(), ...responses })
    const router = await renderApp(screens, trips, redirects)
    await screen.findByRole('heading', { name: 'In Port Meridian' })
    localStorage.setItem('publicway.last-active', '1')
    localStorage.setItem('publicway.impersonated-user', '{}')
    const end = async (reason: 'expired' | 'refused' | 'idle' | 'elsewhere' | 'tooOld') => {
      act(() => {
        sessionEnd.write({ reason })
        sessionEnd.write({ reason })
      })
      expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeInTheDocument()
      return {
        search: router.state.location.search,
        signOutCalls: requests.filter(({ path }) => path === '/api/auth/sign-out').length,
        user: localStorage.getItem('publicway.user') !== null,
        active: localStorage.getItem('publicway.last-active') !== null,
      }
    }
    return { end }
  }

  it('by expiry leads to the sign-in page and retains the stored user', async () => {
    const { end } = await renderShell(signOutResponse)
    expect(await end('expired')).toEqual({
      search: { origin: trips },
      signOutCalls: 0,
      user: true,
      active: true,
    })
  })

  it.each([
    ['refused', {}],
    ['idle', { said: 'idle' }],
    ['tooOld', { said: 'tooOld' }],
  ] as const)('%s signs out, once, and forgets the user', async (reason, said) => {
    const { end } = await renderShell(signOutResponse)
    expect(await end(reason)).toEqual({
      search: { origin: trips, ...said },
      signOutCalls: 1,
      user: false,
      active: false,
    })
    expect(localStorage.getItem('publicway.impersonated-user')).toBeNull()
  })

  it('in another tab does not call the server', async () => {
    const { end } = await renderShell(signOutResponse)
    expect(await end('elsewhere')).toEqual({
      search: { origin: trips },
      signOutCalls: 0,
      user: false,
      active: false,
    })
  })

  it('retains the stored activity time if sign-out fails, which locks out the next visitor', async () => {
    const { end } = await renderShell({ 'POST /api/auth/sign-out': () => new ErrorResponse(503, 'Away') })
    expect(await end('idle')).toMatchObject({ signOutCalls: 1, active: true })
  })

  it('shows nothing while signing out', async () => {
    let respond: (value: unknown) => void = () => undefined
    await renderShell({ 'POST /api/auth/sign-out': () => new Promise((resolve) => (respond = resolve)) })
    act(() => sessionEnd.write({ reason: 'idle' }))
    expect(screen.queryByRole('heading')).not.toBeInTheDocument()
    respond({})
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeInTheDocument()
  })
})
