import { screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { PublicRegion } from '#contract/regions.ts'
import { fakeServer } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { publicResponses } from '#web/shell/test-responses.ts'
import { PublicPagesScreen } from './public-pages-screen.tsx'

afterEach(() => vi.unstubAllGlobals())

const screens: ScreenEntry[] = [
  makeScreenEntry('/$regionId/public', 'shell:pages.publicPages', PublicPagesScreen, 'public'),
]
const renderPublicPage = async (region: Partial<PublicRegion>) => {
  const server = fakeServer(publicResponses(region))
  await renderApp(screens, '/port-meridian/public')
  await screen.findByRole('heading', { level: 1 })
  return server
}
const listAddresses = (): (string | null)[] =>
  screen
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'))
    .filter((address) => address?.startsWith('/port-meridian/public/') ?? false)

it('lists the published pages and the open data, without sign-in', async () => {
  const { requests } = await renderPublicPage({ has_public_routes: true })
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Public pages of Port Meridian')
  expect(listAddresses()).toEqual(['/port-meridian/public/policies', '/port-meridian/public/routes'])
  expect(screen.getByRole('link', { name: 'Policies (MDS 2.0)' })).toBeInTheDocument()
  expect(requests.map(({ path }) => path)).toEqual(['/v2/public/regions'])
})

it('omits what is not published', async () => {
  await renderPublicPage({ has_published_policies: false, has_public_routes: true })
  expect(listAddresses()).toEqual(['/port-meridian/public/routes'])
  expect(screen.queryByText(/Open data/)).toBeNull()
})

it('shows that nothing is published', async () => {
  await renderPublicPage({ has_published_policies: false })
  expect(screen.getByRole('heading', { name: 'Nothing is published yet' })).toBeInTheDocument()
  expect(listAddresses()).toEqual([])
})
