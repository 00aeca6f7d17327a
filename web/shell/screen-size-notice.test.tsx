import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OrganizationSettings } from '#contract/settings.ts'
import { fakeServer } from '#web/data/test-server.ts'
import { smallScreenQuery } from '#web/kit/breakpoints.ts'
import type { ScreenEntry } from './screen-entry.ts'
import { belowDesktopQuery } from './screen-size-notice.tsx'
import { renderApp, makeScreenEntry } from './test-frame.tsx'
import { signedIn } from './test-responses.ts'

const screens: ScreenEntry[] = [
  makeScreenEntry('/$regionId/mobility/geographies', 'shell:pages.geographies', () => <h1>Here</h1>),
  makeScreenEntry('/admin', 'shell:pages.organization', () => <h1>Admin</h1>),
  {
    path: '/$regionId/mobile/live',
    title: 'shell:pages.mobileLive',
    permission: 'signed_in',
    page: 'mobileLive',
    Screen: () => <h1>Live</h1>,
  },
]
beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

async function renderNotice(
  media: readonly string[],
  settings: Partial<OrganizationSettings> = {},
  path = 'mobility/geographies',
) {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        matches: media.includes(query),
        media: query,
        addEventListener() {},
        removeEventListener() {},
      }) as unknown as MediaQueryList,
  )
  fakeServer(signedIn(undefined, settings))
  const router = await renderApp(screens, new URL(path, 'http://app/port-meridian/').pathname)
  await screen.findByRole('heading', { level: 1, hidden: true })
  await waitFor(() => expect(document.title).not.toBe(''))
  return router
}
const small = [smallScreenQuery, belowDesktopQuery]
const between = [belowDesktopQuery]

it('uses the breakpoints of the layouts', () => {
  expect(smallScreenQuery).toBe('(max-width: 768px)')
  expect(belowDesktopQuery).toBe('(max-width: 999.98px), (max-height: 559.98px)')
})

describe('small screens', () => {
  it('a small screen is offered the full app, once', async () => {
    await renderNotice(small)
    const dialog = within(await screen.findByRole('dialog', { name: 'This screen is small' }))
    await userEvent.click(dialog.getByRole('button', { name: 'View the full app' }))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(localStorage.getItem('publicway.screen-size')).toBe('"full"')
  })

  it('a small screen shows the question only once', async () => {
    localStorage.setItem('publicway.screen-size', '"full"')
    await renderNotice(small)
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('a small screen can open the mobile live map', async () => {
    const router = await renderNotice(small)
    await userEvent.click(await screen.findByRole('button', { name: 'View the mobile Live Map' }))
    expect(await screen.findByRole('heading', { name: 'Live' })).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/port-meridian/mobile/live')
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('a small screen shows no question on the mobile live map itself', async () => {
    await renderNotice(small, {}, 'mobile/live')
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('a small screen is not offered a disabled live map', async () => {
    await renderNotice(small, { liveMapMobile: false })
    expect(await screen.findByRole('dialog', { name: 'Mobile Beta' })).toBeInTheDocument()
    expect(screen.queryByText('View the mobile Live Map')).not.toBeInTheDocument()
  })
})

describe('sizes between', () => {
  it('a screen of a size between gets a notice once, with a contact', async () => {
    await renderNotice(between)
    const dialog = within(await screen.findByRole('dialog', { name: 'Mobile Beta' }))
    expect(dialog.getByText(/not optimized for this screen size/)).toBeInTheDocument()
    expect(dialog.getByRole('button', { name: 'Contact the team' })).toBeInTheDocument()
    await userEvent.click(dialog.getByRole('button', { name: 'Continue' }))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(localStorage.getItem('publicway.screen-size')).toBe('"continue"')
  })

  it('a screen of a size between gets the notice also outside of a region', async () => {
    await renderNotice(between, {}, '../admin')
    expect(await screen.findByRole('dialog', { name: 'Mobile Beta' })).toBeInTheDocument()
  })

  it('a screen of a size between is asked again after continuing if it becomes small', async () => {
    localStorage.setItem('publicway.screen-size', '"continue"')
    await renderNotice(small)
    expect(await screen.findByRole('dialog', { name: 'This screen is small' })).toBeInTheDocument()
  })
})

it('desktops get no notice', async () => {
  await renderNotice([])
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})
