import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PermissionKey } from '#contract/permission.ts'
import type { OrganizationSettings } from '#contract/settings.ts'
import { fakeServer } from '#web/data/test-server.ts'
import { type PageKey, pageKeys, pages, pageTitle } from './pages.ts'
import type { ScreenEntry } from './screen-entry.ts'
import { renderApp, TestPage } from './test-frame.tsx'
import { signedIn, testRegion } from './test-responses.ts'

const makeEntry = (page: PageKey): ScreenEntry => ({
  path: `/$regionId/${pages[page].path}`,
  title: pageTitle(page),
  permission: 'signed_in',
  page,
  Screen: () => <TestPage page={page} />,
})
const screens = pageKeys.map(makeEntry)
const trips = '/port-meridian/mobility/maps/trips'
const curb = '/port-meridian/curb/management/metrics'

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

interface Options {
  keys?: readonly PermissionKey[]
  settings?: Partial<OrganizationSettings>
  wide?: boolean
  maps?: ('live' | 'trips')[] | null
}

async function renderShelf(address = trips, { keys, settings, wide = false, maps = null }: Options = {}) {
  const matches = (media: string) => wide && media.includes('1440')
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) =>
      ({
        matches: matches(media),
        media,
        addEventListener() {},
        removeEventListener() {},
      }) as unknown as MediaQueryList,
  )
  fakeServer({
    ...signedIn(keys, settings),
    'GET /v2/regions/port-meridian': () => ({
      ...testRegion('port-meridian', 'Port Meridian'),
      allowedMaps: maps,
    }),
  })
  await renderApp(screens, address)
  return within(await screen.findByRole('navigation', { name: 'Areas' }))
}
const listNames = (shelf: Awaited<ReturnType<typeof renderShelf>>) =>
  shelf.getAllByRole('link').map((link) => link.textContent)

describe('the shelf', () => {
  it('opens an area of one page with one click, and marks the current one', async () => {
    const shelf = await renderShelf()
    expect(shelf.getByRole('link', { name: 'Home' })).not.toHaveAttribute('aria-current')
    await userEvent.click(shelf.getByRole('link', { name: 'Home' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Activity Summary' })).toBeInTheDocument()
    expect(shelf.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page')
  })

  it('opens and closes a drawer with its button, also with the keyboard', async () => {
    const shelf = await renderShelf()
    const maps = shelf.getByRole('button', { name: 'Maps' })
    expect(maps).toHaveAttribute('aria-expanded', 'false')
    maps.focus()
    await userEvent.keyboard('{Enter}')
    expect(maps).toHaveAttribute('aria-expanded', 'true')
    expect(shelf.getByRole('heading', { name: 'Maps' })).toBeInTheDocument()
    await userEvent.keyboard(' ')
    expect(maps).toHaveAttribute('aria-expanded', 'false')
    expect(shelf.queryByRole('heading', { name: 'Maps' })).not.toBeInTheDocument()
  })

  it('the shelf has the pages of a drawer next in the tab order, and Esc returns to its button', async () => {
    const shelf = await renderShelf()
    const maps = shelf.getByRole('button', { name: 'Maps' })
    maps.focus()
    await userEvent.keyboard('{Enter}{Tab}')
    expect(shelf.getByRole('link', { name: 'Live' })).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    expect(shelf.queryByRole('link', { name: 'Live' })).not.toBeInTheDocument()
    expect(maps).toHaveFocus()
  })

  it('closes a drawer over the page once the focus moves on, but not on wide screens', async () => {
    for (const wide of [false, true]) {
      const shelf = await renderShelf(trips, { wide })
      shelf.getByRole('button', { name: 'Maps' }).focus()
      await userEvent.keyboard('{Enter}')
      expect(shelf.getByRole('link', { name: 'Live' })).toBeInTheDocument()
      act(() => screen.getByRole('button', { name: 'Settings' }).focus())
      expect(shelf.queryAllByRole('link', { name: 'Live' })).toHaveLength(wide ? 1 : 0)
      cleanup()
    }
  })

  it('shows only one drawer at a time', async () => {
    const shelf = await renderShelf()
    await userEvent.click(shelf.getByRole('button', { name: 'Maps' }))
    await userEvent.click(shelf.getByRole('button', { name: 'Import data' }))
    expect(shelf.getByRole('link', { name: 'Files' })).toBeInTheDocument()
    expect(shelf.queryByRole('link', { name: 'Live' })).not.toBeInTheDocument()
  })

  it('lists the maps that the region allows', async () => {
    const shelf = await renderShelf(trips, { maps: ['live', 'trips'] })
    await userEvent.click(shelf.getByRole('button', { name: 'Maps' }))
    expect(
      within(shelf.getByRole('list'))
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Live', 'Trips'])
  })

  it('omits what the organization has disabled', async () => {
    const shelf = await renderShelf(trips, {
      settings: { home: false, feeSummary: false, policiesLibrary: false },
    })
    expect(listNames(shelf)).toEqual(['Geographies', 'Health'])
    await userEvent.click(shelf.getByRole('button', { name: 'Policies' }))
    expect(
      within(shelf.getByRole('list'))
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Compliance'])
  })

  it('marks a group of dashboards on each of its pages', async () => {
    const shelf = await renderShelf('/port-meridian/mobility/reporting/time-of-day')
    await userEvent.click(shelf.getByRole('button', { name: 'Reporting' }))
    const group = shelf.getByRole('link', { name: 'Time & Distance' })
    expect(group).toHaveAttribute('aria-current', 'page')
    expect(group).toHaveAttribute('href', '/port-meridian/mobility/reporting/trip-distance')
  })

  it('closes its drawer when a page is chosen', async () => {
    const narrow = await renderShelf()
    await userEvent.click(narrow.getByRole('button', { name: 'Maps' }))
    await userEvent.click(narrow.getByRole('link', { name: 'Parking' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Parking' })).toBeInTheDocument()
    expect(narrow.queryByRole('link', { name: 'Parking' })).not.toBeInTheDocument()
  })

  it('leaves its drawer open on wide screens until another area is opened', async () => {
    const shelf = await renderShelf(trips, { wide: true })
    await userEvent.click(shelf.getByRole('button', { name: 'Maps' }))
    await userEvent.click(shelf.getByRole('link', { name: 'Parking' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Parking' })).toBeInTheDocument()
    expect(shelf.getByRole('link', { name: 'Parking' })).toHaveAttribute('aria-current', 'page')
    await userEvent.click(shelf.getByRole('link', { name: 'MDS Data Health' }))
    await waitFor(() => expect(shelf.queryByRole('link', { name: 'Parking' })).not.toBeInTheDocument())
  })
})

describe('the shelf of the curb', () => {
  it('the shelf of the curb has its own areas', async () => {
    const shelf = await renderShelf(curb)
    await userEvent.click(shelf.getByRole('button', { name: 'Parking Insights' }))
    expect(
      within(shelf.getByRole('list'))
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Revenue', 'Transactions', 'Pricing Engine', 'Occupancy'])
    expect(shelf.queryByRole('button', { name: 'Maps' })).not.toBeInTheDocument()
    await waitFor(() => expect(document.title).toBe('Curb Manager · Dashboard Metrics'))
  })

  it('expands to the side drawer, stores this, and collapses again', async () => {
    const shelf = await renderShelf(curb)
    await userEvent.click(shelf.getByRole('button', { name: 'Open the side drawer' }))
    const drawer = within(screen.getByRole('navigation', { name: 'Areas' }))
    expect(drawer.getAllByRole('heading').map((heading) => heading.textContent)).toEqual([
      'Digital Smart Zones',
      'Parking Insights',
      'Regulations',
      'Geographies',
    ])
    expect(listNames(drawer)).toEqual([
      'Dashboard Metrics',
      'Activity Map',
      'Fees and Revenue',
      'Revenue',
      'Transactions',
      'Pricing Engine',
      'Occupancy',
      'Library',
      'Zones',
      'Imports',
      'Map',
      'Allocation',
      'Geographies map',
      'Help',
    ])
    expect(drawer.getByRole('button', { name: 'Close the side drawer' })).toHaveFocus()
    expect(localStorage.getItem('publicway.curb-drawer')).toBe('true')
    await userEvent.click(drawer.getByRole('button', { name: 'Close the side drawer' }))
    expect(await screen.findByRole('button', { name: 'Management' })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Open the side drawer' })).toHaveFocus()
  })

  it('the shelf of the curb has Settings, Help and Switch in the side drawer', async () => {
    localStorage.setItem('publicway.curb-drawer', 'true')
    const drawer = await renderShelf(curb)
    await userEvent.click(drawer.getByRole('button', { name: 'Switch' }))
    const menu = within(await screen.findByRole('dialog', { name: 'Switch' }))
    expect(menu.getByRole('link', { name: 'Mobility Manager' })).toHaveAttribute(
      'href',
      '/port-meridian/mobility',
    )
    expect(menu.getByRole('link', { name: 'Curb Manager' })).toHaveAttribute('aria-current')
    expect(await menu.findByRole('link', { name: 'Ashford' })).toHaveAttribute('href', '/ashford')
    await userEvent.keyboard('{Escape}')
    await userEvent.click(drawer.getByRole('button', { name: 'Settings' }))
    expect(await screen.findByRole('menu', { name: 'Settings' })).toBeInTheDocument()
    await userEvent.keyboard('{Escape}')
    expect(drawer.getByRole('link', { name: 'Help' })).toHaveAttribute('target', '_blank')
  })
})

describe('the menu of small screens', () => {
  it('the menu of small screens has the content of the shelf, and closes when a page is chosen', async () => {
    await renderShelf(trips, { keys: [] })
    await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
    const menu = within(await screen.findByRole('dialog', { name: 'Menu' }))
    expect(menu.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'Home',
      'Live',
      '311',
      'Vehicle Distribution',
      'Operator Drop-offs',
      'Parking',
      'Routes',
      'Trips',
      'Vehicle & Trip Counts',
      'Mobility Metrics',
      'Time & Distance',
      'Micromobility Parking',
      'Bikeshare Stations',
      'Export',
      'Policies Library',
      'Compliance',
      'Policy Fees and Invoicing',
      'Geographies',
      'MDS Data Health',
      'Mobility Manager',
      'Curb Manager',
    ])
    expect(menu.getByRole('link', { name: 'Trips' })).toHaveAttribute('aria-current', 'page')
    await userEvent.click(menu.getByRole('link', { name: 'Routes' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Routes' })).toBeInTheDocument()
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })
})
