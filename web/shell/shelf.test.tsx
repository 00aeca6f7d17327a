import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PermissionKey } from '#contract/permission.ts'
import { fakeServer } from '#web/data/fake-server.ts'
import { areas } from './areas.ts'
import { NotBuilt } from './not-built.tsx'
import type { ScreenEntry } from './screen-entry.ts'
import { renderApp } from './test-frame.tsx'
import { signedIn, testRegion } from './test-replies.ts'

const entry = (key: string, path: string): ScreenEntry => ({ path: `/$regionId/${path}`, title: `shell:pages.${key}`, permission: 'signed_in', Screen: () => <NotBuilt page={key} /> })
const screens = areas.flatMap(({ pages }) => pages.map(({ key, path }) => entry(key, path)))
const trips = '/port-meridian/mobility/maps/trips'

afterEach(() => vi.unstubAllGlobals())

async function open(address = trips, { keys, wide = false, maps = null }: { keys?: readonly PermissionKey[]; wide?: boolean; maps?: ('live' | 'trips')[] | null } = {}) {
  const matches = (media: string) => wide && media.includes('1440')
  vi.spyOn(window, 'matchMedia').mockImplementation((media) => ({ matches: matches(media), media, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList)
  fakeServer({ ...signedIn(keys), 'GET /v2/regions/port-meridian': () => ({ ...testRegion('port-meridian', 'Port Meridian'), allowedMaps: maps }) })
  await renderApp(screens, address)
  return within(await screen.findByRole('navigation', { name: 'Areas' }))
}

describe('the shelf', () => {
  it('leads to an area of one page with one click, and marks where one is', async () => {
    const shelf = await open()
    expect(shelf.getByRole('link', { name: 'Geographies' })).not.toHaveAttribute('aria-current')
    await userEvent.click(shelf.getByRole('link', { name: 'Policies' }))
    expect(await screen.findByText(/policies will be written/)).toBeInTheDocument()
    expect(shelf.getByRole('link', { name: 'Policies' })).toHaveAttribute('aria-current', 'page')
  })

  it('opens and closes a drawer with its button, by keyboard too', async () => {
    const shelf = await open()
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

  it('shows one drawer at a time', async () => {
    const shelf = await open()
    await userEvent.click(shelf.getByRole('button', { name: 'Maps' }))
    await userEvent.click(shelf.getByRole('button', { name: 'Data in' }))
    expect(shelf.getByRole('link', { name: 'Trip files' })).toBeInTheDocument()
    expect(shelf.queryByRole('link', { name: 'Live' })).not.toBeInTheDocument()
  })

  it('lists the maps that the region allows', async () => {
    const shelf = await open(trips, { maps: ['live', 'trips'] })
    await userEvent.click(shelf.getByRole('button', { name: 'Maps' }))
    expect(within(shelf.getByRole('list')).getAllByRole('link').map((link) => link.textContent)).toEqual(['Live', 'Trips'])
  })

  it('closes its drawer when a page is chosen', async () => {
    const narrow = await open()
    await userEvent.click(narrow.getByRole('button', { name: 'Maps' }))
    await userEvent.click(narrow.getByRole('link', { name: 'Parking' }))
    expect(await screen.findByText(/how long vehicles are parked/)).toBeInTheDocument()
    expect(narrow.queryByRole('link', { name: 'Parking' })).not.toBeInTheDocument()
  })

  it('keeps its drawer on wide screens, until its area is left', async () => {
    const shelf = await open(trips, { wide: true })
    await userEvent.click(shelf.getByRole('button', { name: 'Maps' }))
    await userEvent.click(shelf.getByRole('link', { name: 'Parking' }))
    expect(await screen.findByText(/how long vehicles are parked/)).toBeInTheDocument()
    expect(shelf.getByRole('link', { name: 'Parking' })).toHaveAttribute('aria-current', 'page')
    await userEvent.click(shelf.getByRole('link', { name: 'MDS Data Health' }))
    await waitFor(() => expect(shelf.queryByRole('link', { name: 'Parking' })).not.toBeInTheDocument())
  })
})

describe('the menu of small screens', () => {
  it('holds what the shelf holds, and closes when a page is chosen', async () => {
    await open(trips, { keys: [] })
    await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
    const menu = within(await screen.findByRole('dialog', { name: 'Menu' }))
    expect(menu.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'Live', '311', 'Vehicle Distribution', 'Operator Drop-offs', 'Parking', 'Routes', 'Trips', 'Reporting', 'Policies', 'Policy Fees and Invoicing', 'Geographies', 'MDS Data Health',
    ])
    expect(menu.getByRole('link', { name: 'Trips' })).toHaveAttribute('aria-current', 'page')
    await userEvent.click(menu.getByRole('link', { name: 'Routes' }))
    expect(await screen.findByText(/which streets trips take/)).toBeInTheDocument()
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })
})

describe('a page that is not built yet', () => {
  it.each(['issues', 'reporting', 'dataHealth'])('%s says what will be there', async (key) => {
    const { path } = areas.flatMap(({ pages }) => pages).find((page) => page.key === key)!
    await open(`/port-meridian/${path}`)
    expect(await screen.findByRole('heading', { name: 'Not built yet' })).toBeInTheDocument()
    expect(screen.getByText(/^Here /)).toBeInTheDocument()
  })
})
