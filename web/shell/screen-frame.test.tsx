import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { lazy } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import type { ScreenEntry } from './screen-entry.ts'
import { renderApp, makeScreenEntry } from './test-frame.tsx'
import { signedIn } from './test-responses.ts'

const Late = lazy(async () => {
  await new Promise((done) => setTimeout(done, 20))
  return { default: () => <h1>Late</h1> }
})
const screens: ScreenEntry[] = [
  makeScreenEntry('/admin/regions', 'shell:pages.regions', () => <h1>All regions</h1>, 'is_admin'),
  makeScreenEntry('/$regionId/mobility/maps/trips', 'evaluation:maps.trips', () => <h1>The map</h1>),
  makeScreenEntry('/$regionId/mobility/policies', 'shell:pages.policies', Late, 'edit_policy'),
  makeScreenEntry('/$regionId/mobility/invoicing', 'shell:pages.invoicing', () => {
    throw new Error('broken on purpose')
  }),
]
const redirects = { '/': '/$regionId/mobility/maps/trips', '/mobility/$': '/$regionId/mobility/maps/trips' }

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

describe('a screen', () => {
  it('sets the title of the tab', async () => {
    fakeServer(signedIn())
    const router = await renderApp(screens, '/port-meridian/mobility/maps/trips', redirects)
    await screen.findByRole('heading', { name: 'The map' })
    await waitFor(() => expect(document.title).toBe('Mobility Manager · Trips'))
    await router.navigate({ to: '/port-meridian/mobility/policies' as never })
    expect(await screen.findByRole('heading', { name: 'Late' })).toBeInTheDocument()
    await waitFor(() => expect(document.title).toBe('Mobility Manager · Policies Library'))
  })

  it('a screen is not found without its permission, and the title does not reveal it', async () => {
    fakeServer(signedIn(['edit_geography']))
    await renderApp(screens, '/port-meridian/mobility/policies', redirects)
    expect(await screen.findByRole('heading', { name: /can’t seem to find/ })).toBeInTheDocument()
    expect(document.title).toBe('Mobility Manager · Not found')
    expect(screen.queryByRole('heading', { name: 'Late' })).not.toBeInTheDocument()
  })

  it('links back into the app if not found', async () => {
    fakeServer(signedIn())
    await renderApp(
      [...screens, makeScreenEntry('/', 'shell:pages.home', () => <h1>Home again</h1>)],
      '/nowhere/at/all/of/it',
      {},
    )
    await userEvent.click(await screen.findByRole('link', { name: 'Return to the app' }))
    expect(await screen.findByRole('heading', { name: 'Home again' })).toBeInTheDocument()
  })

  it('offers to contact the team if not found', async () => {
    fakeServer(signedIn())
    await renderApp(screens, '/nowhere/at/all/of/it', {})
    await userEvent.click(await screen.findByRole('button', { name: 'Contact the team' }))
    expect(await screen.findByRole('dialog', { name: 'Contact the team' })).toHaveTextContent(
      'I cannot find what I am looking for',
    )
  })

  it('shows an error when it throws, and can be reloaded', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    fakeServer(signedIn())
    await renderApp(screens, '/port-meridian/mobility/invoicing', redirects)
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'An error has occurred and has been logged. Please reload the page.',
    )
    expect(screen.getByRole('navigation', { name: 'Areas' })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Reload' })).toBeInTheDocument()
  })
})

describe('redirects', () => {
  it.each(['/ashford', '/ashford/mobility/of/old'])(
    '%s redirects within its region without a history entry',
    async (address) => {
      fakeServer(signedIn())
      const router = await renderApp(screens, address, redirects)
      await screen.findByRole('heading', { name: 'The map' })
      expect(router.state.location.pathname).toBe('/ashford/mobility/maps/trips')
      expect(router.history.length).toBe(1)
    },
  )

  it('redirects lead to the last region, or to another one if it no longer exists', async () => {
    localStorage.setItem('publicway.region', 'gone')
    fakeServer({ ...signedIn(), 'GET /v2/regions/gone': () => new ErrorResponse(403, 'Forbidden') })
    const { HomeScreen } = await import('./home-screen.tsx')
    const router = await renderApp(
      [...screens, makeScreenEntry('/', 'shell:pages.home', HomeScreen)],
      '/',
      redirects,
    )
    await screen.findByRole('heading', { name: 'The map' })
    expect(router.state.location.pathname).toBe('/port-meridian/mobility/maps/trips')
    expect(localStorage.getItem('publicway.region')).toBe('port-meridian')
  })

  it('redirects do not treat a server error as a missing region', async () => {
    localStorage.setItem('publicway.region', 'ashford')
    const responses: unknown[] = [new ErrorResponse(500, 'Not now')]
    const { 'GET /v2/regions/ashford': ashford, ...others } = signedIn()
    fakeServer({ ...others, 'GET /v2/regions/ashford': () => responses.shift() ?? ashford() })
    await renderApp(screens, '/ashford/mobility/maps/trips', redirects)
    expect(await screen.findByRole('alert')).toHaveTextContent('Not nowError id, for support: quote-me')
    expect(localStorage.getItem('publicway.region')).toBe('ashford')
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: 'The map' })).toBeInTheDocument()
  })
})
