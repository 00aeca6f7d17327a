import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { OrganizationSettings } from '#contract/settings.ts'
import { fakeServer } from '#web/data/test-server.ts'
import { RegionSelector } from './region-selector.tsx'
import type { ScreenEntry } from './screen-entry.ts'
import { renderApp } from './test-frame.tsx'
import { signedIn } from './test-responses.ts'

const screens: ScreenEntry[] = [
  {
    path: '/$regionId/mobility/geographies',
    title: 'shell:pages.geographies',
    permission: 'signed_in',
    page: 'geographies',
    Screen: () => <h1>Geographies</h1>,
  },
  {
    path: '/$regionId/mobile/live',
    title: 'shell:pages.mobileLive',
    permission: 'signed_in',
    page: 'mobileLive',
    Screen: () => (
      <>
        <h1>Live</h1>
        <RegionSelector />
      </>
    ),
  },
]
beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

async function renderPageFrame(path: string, settings: Partial<OrganizationSettings> = {}) {
  fakeServer(signedIn(undefined, settings))
  return renderApp(screens, `/port-meridian/${path}`)
}

it('surrounds pages', async () => {
  await renderPageFrame('mobility/geographies')
  await screen.findByRole('heading', { name: 'Geographies' })
  expect(screen.getByRole('navigation', { name: 'Areas' })).toBeInTheDocument()
})

it('the frame is hidden on the mobile live map, where changing the region opens its mobile live map', async () => {
  const router = await renderPageFrame('mobile/live')
  await screen.findByRole('heading', { name: 'Live' })
  expect([screen.queryByRole('navigation'), screen.queryByRole('banner')]).toEqual([null, null])
  expect(document.title).toBe('Mobility Manager · Mobile Live Map')
  await userEvent.click(await screen.findByRole('button', { name: 'Region: Port Meridian' }))
  const choice = within(await screen.findByRole('dialog'))
  await userEvent.click(await choice.findByRole('link', { name: 'Ashford' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/ashford/mobile/live'))
})

it('the frame is shown with a not-found page if the mobile live map is disabled', async () => {
  await renderPageFrame('mobile/live', { liveMapMobile: false })
  await screen.findByText(/seem to find what you’re looking for/)
  expect(screen.getByRole('navigation', { name: 'Areas' })).toBeInTheDocument()
})
