import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OrganizationSettings } from '#contract/settings.ts'
import mapTexts from '#web/evaluation/evaluation.en.json' with { type: 'json' }
import shellTexts from '#web/shell/shell.en.json' with { type: 'json' }
import { pageKeys, pages, pageTitle, reportKeys } from '#web/shell/pages.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { publicResponses, signedIn, testPublicRegion } from '#web/shell/test-responses.ts'
import { fakeServer } from '#web/data/test-server.ts'
import { redirects, screens } from './screens.tsx'

const paths = screens.map((entry) => entry.path)

// Fetched when they are first shown: on a busy machine that would be the first test's time.
beforeAll(() =>
  Promise.all([
    import('#web/shell/shell.tsx'),
    import('#web/shell/region-gate.tsx'),
    import('#web/shell/screen-frame.tsx'),
  ]),
)
beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

async function renderAddress(address: string, settings: Partial<OrganizationSettings> = {}) {
  fakeServer(signedIn(undefined, settings))
  return renderApp(screens, address, redirects)
}
const getFinalPath = async (address: string, settings?: Partial<OrganizationSettings>) => {
  cleanup()
  const router = await renderAddress(address, settings)
  await screen.findByRole('heading', { level: 1 })
  return router.state.location.pathname
}

describe('the list of screens', () => {
  it('the list of screens has every path once', () => {
    expect(new Set(paths).size).toBe(paths.length)
  })

  it('the list of screens has every route of a region', () => {
    const routes = [
      '',
      '/404',
      '/mobility',
      '/mobility/maps',
      '/curb',
      '/curb/regulations',
      '/curb/management',
      '/curb/parking-insights',
      '/curb/revenue',
      '/mobility/activity-summary',
      ...['live', '311', 'distribution', 'operator-drop-offs', 'parking', 'routes', 'trips'].map(
        (map) => `/mobility/maps/${map}`,
      ),
      ...[
        'trip-counts',
        'mobility-metrics',
        'export',
        'trip-distance',
        'trip-duration',
        'time-of-day',
        'trip-distance-by-tech',
        'trip-speed-by-tech',
        'parking-time',
        'parking-time-by-district',
      ].map((name) => `/mobility/reporting/${name}`),
      ...[
        '',
        '/create',
        '/duplicate',
        '/$policyId',
        '/$policyId/edit',
        '/compliance',
        '/compliance/$policyId',
      ].map((path) => `/mobility/policies${path}`),
      '/mobility/invoicing',
      '/mobility/invoicing/$invoiceId',
      '/mobility/geographies',
      '/mobility/data-health',
      ...[
        'regulations/map',
        'regulations/library',
        'management/metrics',
        'management/activity',
        'geographies',
        'parking-insights/revenue',
        'parking-insights/transactions',
        'parking-insights/pricing-engine',
        'parking-insights/occupancy',
        'revenue/fees-and-revenue',
      ].map((path) => `/curb/${path}`),
      '/mobile/live',
      '/public/policies',
      '/public/routes',
      '/public/regulations',
      '/public/rates',
    ]
    expect(paths).toEqual(expect.arrayContaining(routes.map((path) => `/$regionId${path}`)))
    for (const target of Object.values(redirects)) expect(paths).toContain(target)
  })

  it('the list of screens has each page of a region once, guarded by its rules', () => {
    expect(screens.flatMap(({ page }) => page ?? []).sort()).toEqual([...pageKeys].sort())
    expect(screens.filter(({ page, path }) => page && path !== `/$regionId/${pages[page].path}`)).toEqual([])
    const unguarded = screens
      .filter(
        ({ path, page, permission }) => path.startsWith('/$regionId') && !page && permission !== 'public',
      )
      .map(({ path }) => path)
    expect(
      unguarded.filter(
        (path) => !/^\/\$regionId(?:\/404|\/mobility(?:\/maps)?(?:\/\$)?|\/curb(?:\/[a-z-]+)?)?$/.test(path),
      ),
    ).toEqual([])
  })

  it('names every page', () => {
    const shellTitles = [
      ...Object.keys(shellTexts.pages).map((key) => `shell:pages.${key}`),
      'shell:notFound.page',
      'shell:guide.title',
    ]
    expect(
      screens
        .map(({ title }) => title)
        .filter((title) => title.startsWith('shell:') && !shellTitles.includes(title)),
    ).toEqual([])
    const names = [
      ...shellTitles,
      ...Object.keys(mapTexts.maps).map((key) => `evaluation:maps.${key}`),
      ...reportKeys.map((key) => `reporting:pages.${key}`),
    ]
    for (const key of pageKeys) expect(names).toContain(pageTitle(key))
  })

  it('restricts admin pages to administrators, and requires sign-in except on public pages', () => {
    expect(
      screens.filter(({ path, permission }) => path.startsWith('/admin') && permission !== 'is_admin'),
    ).toEqual([])
    const publicScreens = screens.filter(
      ({ path, permission }) => path.startsWith('/$regionId') && permission === 'public',
    )
    expect(publicScreens.map(({ path }) => path)).toEqual(
      ['', '/policies', '/routes', '/regulations', '/rates'].map((name) => `/$regionId/public${name}`),
    )
  })
})

describe('pages that cannot be shown', () => {
  it.each(['policies/17', 'policies/17/edit'])(
    '%s cannot find the policy, and leads to the library',
    async (path) => {
      await renderAddress(`/port-meridian/mobility/${path}`)
      expect(
        await screen.findByRole('heading', { level: 1, name: "The policy you selected can't be found" }),
      ).toBeInTheDocument()
      expect(screen.getByRole('link', { name: 'Open the Policies Library' })).toHaveAttribute(
        'href',
        '/port-meridian/mobility/policies',
      )
    },
  )

  it('public/regulations needs no sign-in and makes no request that does', async () => {
    const { requests } = fakeServer(publicResponses())
    await renderApp(screens, '/port-meridian/public/regulations', redirects)
    expect(
      await screen.findByRole('heading', { level: 1, name: 'Public curb regulations of Port Meridian' }),
    ).toBeInTheDocument()
    expect(document.title).toBe('Curb Manager · Public Regulations')
    expect(requests.map(({ path }) => path)).toEqual(['/v2/public/regions'])
  })

  it('public/routes needs no sign-in and makes no request that does', async () => {
    const { requests } = fakeServer(publicResponses())
    await renderApp(screens, '/port-meridian/public/routes', redirects)
    expect(await screen.findByRole('heading', { name: 'No public map here' })).toBeInTheDocument()
    expect(await screen.findByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login')
    expect(document.title).toBe('Mobility Manager · Public Routes')
    expect(requests.map(({ path }) => path)).toEqual(['/v2/public/regions'])
  })

  it('public/policies needs no sign-in and makes no request that does', async () => {
    const { requests } = fakeServer({
      ...publicResponses(),
      'GET /v2/public/regions/port-meridian/policies': () => ({
        ...testPublicRegion,
        currencyCode: 'USD',
        last_updated: null,
        policies: [],
        geographies: [],
      }),
    })
    await renderApp(screens, '/port-meridian/public/policies', redirects)
    expect(await screen.findByText(/^Port Meridian has no published policies\./)).toBeInTheDocument()
    expect(document.title).toBe('Mobility Manager · Public Policies')
    expect(requests.map(({ path }) => path)).toEqual([
      '/v2/public/regions',
      '/v2/public/regions/port-meridian/policies',
    ])
  })

  it.each(['policies', 'routes', 'regulations'])(
    'public/%s of an unknown region is not found, without a refused call',
    async (name) => {
      const { requests } = fakeServer(publicResponses())
      await renderApp(screens, `/nowhere/public/${name}`, redirects)
      expect(await screen.findByRole('heading', { level: 1, name: /can’t seem to find/ })).toBeInTheDocument()
      expect(requests.map(({ path }) => path)).toEqual(['/v2/public/regions'])
    },
  )
})

describe('disabled pages', () => {
  it.each([
    ['mobility/maps/parking', { maps: ['live'] }],
    ['mobility/maps/trips', { mobilityManager: false }],
    ['mobility/policies/create', { policiesLibrary: false }],
    ['mobility/reporting/parking-time', { mobilityDashboards: ['micromobility_use'] }],
    ['curb/parking-insights/occupancy', { curbOccupancy: false }],
    ['mobile/live', { liveMapMobile: false }],
  ] satisfies [string, Partial<OrganizationSettings>][])('%s is not found', async (path, settings) => {
    await renderAddress(`/port-meridian/${path}`, settings)
    expect(
      await screen.findByText('Sorry, we can’t seem to find what you’re looking for...'),
    ).toBeInTheDocument()
    expect(document.title).toMatch(/ · Not found$/)
  })
})

describe('redirects', () => {
  it.each([
    '/',
    '/port-meridian',
    '/port-meridian/mobility',
    '/port-meridian/mobility/nowhere/at/all',
    '/port-meridian/mobility/reporting',
    '/port-meridian/mobility/maps',
    '/port-meridian/mobility/maps/nowhere',
  ])('%s leads to the live map', async (address) => {
    expect(await getFinalPath(address)).toBe('/port-meridian/mobility/maps/live')
  })

  it.each(['curb', 'curb/regulations', 'curb/management', 'curb/parking-insights', 'curb/revenue'])(
    '%s leads to the default curb page',
    async (path) => {
      expect(await getFinalPath(`/port-meridian/${path}`)).toBe('/port-meridian/curb/management/metrics')
      cleanup()
      const router = await renderAddress(`/ashford/${path}`, {
        curbMetricsPage: false,
        curbPerformance: false,
      })
      await waitFor(() =>
        expect(router.state.location.pathname).toBe('/ashford/curb/parking-insights/revenue'),
      )
    },
  )

  it('redirects lead to the curb without the Mobility Manager, and to a notice without either product', async () => {
    expect(await getFinalPath('/port-meridian/mobility', { mobilityManager: false })).toBe(
      '/port-meridian/curb/management/metrics',
    )
    expect(await getFinalPath('/port-meridian', { mobilityManager: false, curbManager: false })).toBe(
      '/port-meridian',
    )
    expect(screen.getByRole('heading', { name: 'No page available' })).toBeInTheDocument()
  })

  it('redirects include the alternative path of the data health page', async () => {
    expect(await getFinalPath('/port-meridian/mobility/mds-data-health')).toBe(
      '/port-meridian/mobility/data-health',
    )
  })

  it.each(['/port-meridian/nothing/here', '/port-meridian/404', '/port-meridian/curb/nowhere'])(
    '%s is not found',
    async (address) => {
      await renderAddress(address)
      expect(await screen.findByText(/can’t seem to find/)).toBeInTheDocument()
    },
  )
})
