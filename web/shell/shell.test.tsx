import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, Refusal } from '#web/data/fake-server.ts'
import { HomeScreen } from './home-screen.tsx'
import { useRegion } from './region.tsx'
import type { ScreenEntry } from './screen-entry.ts'
import { renderApp } from './test-frame.tsx'
import { signedIn } from './test-replies.ts'

const RegionName = () => <h1>In {useRegion().text}</h1>
const screens: ScreenEntry[] = [
  { path: '/', title: 'shell:pages.home', permission: 'signed_in', Screen: HomeScreen },
  { path: '/login', title: 'shell:pages.login', permission: 'public', Screen: () => <h1>Sign in</h1> },
  { path: '/$regionId/mobility/maps/trips', title: 'shell:pages.trips', permission: 'signed_in', Screen: RegionName },
  { path: '/$regionId/mobility/trip-files', title: 'shell:pages.tripFiles', permission: 'is_admin', Screen: () => <h1>Files</h1> },
]
const redirects = { '/': '/$regionId/mobility/maps/trips' }

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

describe('the frame', () => {
  it('leads from / to the first region, and remembers it', async () => {
    fakeServer(signedIn())
    const router = await renderApp(screens, '/', redirects)
    expect(await screen.findByRole('heading', { name: 'In Port Meridian' })).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/port-meridian/mobility/maps/trips')
    expect(document.title).toBe('Mobility Manager · Trips')
    expect(localStorage.getItem('publicway.region')).toBe('port-meridian')
  })

  it('leads from a region that the user may not see to one that they may', async () => {
    fakeServer({ ...signedIn(), 'GET /v2/regions/elsewhere': () => new Refusal(404, 'Not Found') })
    await renderApp(screens, '/elsewhere/mobility/maps/trips', redirects)
    expect(await screen.findByRole('heading', { name: 'In Port Meridian' })).toBeInTheDocument()
  })

  it('leads to the sign-in page when the session is over, and remembers the origin', async () => {
    fakeServer({ 'GET /v2/users/me': () => new Refusal(401, 'Unauthorized') })
    const router = await renderApp(screens, '/port-meridian/mobility/maps/trips?layer=x', redirects)
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeInTheDocument()
    expect(router.state.location.search).toEqual({ origin: '/port-meridian/mobility/maps/trips?layer=x' })
  })

  it('shows pages of administrators to nobody else', async () => {
    fakeServer(signedIn([]))
    await renderApp(screens, '/port-meridian/mobility/trip-files', redirects)
    expect(await screen.findByText(/can’t seem to find/)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Data in' })).not.toBeInTheDocument()
  })

  it('says when the user has no region', async () => {
    fakeServer({ ...signedIn([]), 'GET /v2/regions': () => ({ items: [], total: 0, page: 1, size: 10 }) })
    await renderApp(screens, '/', redirects)
    expect(await screen.findByRole('heading', { level: 1, name: 'You do not have access to any Regions' })).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Contact the team' }))
    expect(await screen.findByRole('dialog', { name: 'Contact the team' })).toHaveTextContent('Please give me access to')
  })

  it('opens the drawer of an area, marks the page, and closes by Esc', async () => {
    fakeServer(signedIn())
    await renderApp(screens, '/port-meridian/mobility/maps/trips', redirects)
    await userEvent.click(await screen.findByRole('button', { name: 'Maps' }))
    expect(screen.getByRole('link', { name: 'Trips' })).toHaveAttribute('aria-current', 'page')
    expect(screen.getByRole('link', { name: 'Live' })).not.toHaveAttribute('aria-current')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Live' })).not.toBeInTheDocument())
  })

  it('searches regions 300 ms after the last key', async () => {
    const { asked } = fakeServer(signedIn())
    await renderApp(screens, '/port-meridian/mobility/maps/trips', redirects)
    await userEvent.click(await screen.findByRole('button', { name: 'Region: Port Meridian' }))
    await userEvent.type(await screen.findByLabelText('Search regions'), 'ash')
    expect(await screen.findByRole('link', { name: 'Ashford' })).toBeInTheDocument()
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Port Meridian' })).not.toBeInTheDocument())
    const texts = asked.filter((one) => one.path === '/v2/regions').map((one) => one.query.get('text'))
    expect(texts).toEqual([null, 'ash'])
  })
})
