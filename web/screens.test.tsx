import { screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import shellTexts from '#web/shell/shell.en.json' with { type: 'json' }
import { areas } from '#web/shell/areas.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-replies.ts'
import { fakeServer } from '#web/data/fake-server.ts'
import { redirects, screens } from './screens.tsx'

const paths = screens.map((entry) => entry.path)

// The map engine needs a graphics card; the trips map has its own tests.
vi.mock('#web/evaluation/trips-screen.tsx', () => ({ TripsScreen: () => <h1>Trips map</h1> }))
afterEach(() => vi.unstubAllGlobals())

describe('the list of screens', () => {
  it('has every path once', () => {
    expect(new Set(paths).size).toBe(paths.length)
  })

  it('has a screen for every page of the shelf, and one for every redirect', () => {
    for (const page of areas.flatMap((area) => area.pages)) expect(paths).toContain(`/$regionId/${page.path}`)
    for (const target of Object.values(redirects)) expect(paths).toContain(target)
  })

  it('names every page', () => {
    for (const entry of screens) expect(Object.keys(shellTexts.pages).map((key) => `shell:pages.${key}`)).toContain(entry.title)
  })

  it('keeps pages of administrators to administrators', () => {
    expect(screens.filter((entry) => entry.permission === 'is_admin').map((entry) => entry.path)).toEqual(['/admin/regions', '/$regionId/mobility/trip-files'])
    expect(screens.filter((entry) => entry.permission === 'public').map((entry) => entry.path)).toEqual(['/login', '/logout'])
  })
})

describe('pages that are not built yet', () => {
  it.each([
    ['mobility/maps/live', 'Live'],
    ['mobility/maps/311', '311'],
    ['mobility/maps/distribution', 'Vehicle Distribution'],
    ['mobility/maps/operator-drop-offs', 'Operator Drop-offs'],
    ['mobility/maps/parking', 'Parking'],
    ['mobility/maps/routes', 'Routes'],
    ['mobility/reporting/trip-counts', 'Reporting'],
    ['mobility/policies', 'Policies'],
    ['mobility/invoicing', 'Policy Fees and Invoicing'],
    ['mobility/data-health', 'MDS Data Health'],
    ['curb', 'Curb Manager'],
  ])('%s says so, and what will be there', async (path, name) => {
    fakeServer(signedIn())
    await renderApp(screens, `/port-meridian/${path}`, redirects)
    expect(await screen.findByRole('heading', { level: 1, name })).toBeInTheDocument()
    expect(screen.getByText('Not built yet')).toBeInTheDocument()
    expect(screen.getByText(/^Here /)).toBeInTheDocument()
    expect(document.title).toBe(`Mobility Manager · ${name}`)
  })
})

describe('redirects', () => {
  it.each(['/', '/port-meridian', '/port-meridian/mobility', '/port-meridian/mobility/activity-summary', '/port-meridian/mobility/maps/nowhere'])('%s leads to the trips map', async (address) => {
    fakeServer(signedIn())
    const router = await renderApp(screens, address, redirects)
    expect(await screen.findByRole('heading', { name: 'Trips map' })).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/port-meridian/mobility/maps/trips')
  })

  it('an address outside of all is not found', async () => {
    fakeServer(signedIn())
    await renderApp(screens, '/port-meridian/nothing/here', redirects)
    expect(await screen.findByText(/can’t seem to find/)).toBeInTheDocument()
  })
})
