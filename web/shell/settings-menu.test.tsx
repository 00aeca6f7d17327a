import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '#web/data/test-server.ts'
import type { ScreenEntry, ShellSlots } from './screen-entry.ts'
import { renderApp, makeScreenEntry } from './test-frame.tsx'
import { signedIn } from './test-responses.ts'

const screens: ScreenEntry[] = [
  makeScreenEntry('/$regionId/mobility/geographies', 'shell:pages.geographies', () => <h1>Here</h1>),
  makeScreenEntry('/$regionId/curb', 'shell:pages.curb', () => <h1>Curb</h1>),
  makeScreenEntry('/logout', 'shell:pages.logout', () => <h1>Out</h1>, 'public'),
]

beforeEach(() => localStorage.clear())
afterEach(async () => {
  vi.unstubAllGlobals()
  await i18next.changeLanguage('en-US')
})

async function openSettings(
  keys?: Parameters<typeof signedIn>[0],
  slots: ShellSlots = {},
  operators: string[] | null = null,
) {
  const responses = signedIn(keys)
  const operatorItems = [{ slug: 'lark', name: 'Lark Rides', colorHex: '#3366CC' }]
  fakeServer({
    ...responses,
    'GET /v2/users/me': () => ({ ...responses['GET /v2/users/me'](), operators }),
    'GET /v2/operators': () => ({ items: operatorItems, total: 1, page: 1, size: 300 }),
  })
  await renderApp(screens, '/port-meridian/mobility/geographies', {}, slots)
  await userEvent.click(await screen.findByRole('button', { name: 'Settings' }))
  return within(await screen.findByRole('menu', { name: 'Settings' }))
}

describe('the settings', () => {
  it('the settings show the user and change the color scheme', async () => {
    const settings = await openSettings()
    expect(settings.getByText('ada@city.example')).toBeInTheDocument()
    await userEvent.click(settings.getByRole('menuitemradio', { name: 'Dark' }))
    expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await userEvent.click(settings.getByRole('menuitemradio', { name: 'Light' }))
    expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'light')
  })

  it('the settings show which operators a user is limited to', async () => {
    const settings = await openSettings([], {}, ['lark', 'wren'])
    expect(await settings.findByText('Shows only the numbers of Lark Rides and wren')).toBeInTheDocument()
  })

  it('the settings change and store the language', async () => {
    const settings = await openSettings()
    await userEvent.click(settings.getByRole('menuitemradio', { name: 'Español' }))
    expect(await screen.findByRole('button', { name: 'Configuración' })).toBeInTheDocument()
    expect(document.documentElement.lang).toBe('es')
    expect(localStorage.getItem('publicway.language')).toBe('es')
    await waitFor(() => expect(document.title).toBe('Mobility Manager · Geografías'))
  })

  it('the settings show the admin pages to administrators only', async () => {
    const link = (await openSettings()).getByRole('menuitem', { name: 'Admin' })
    expect(link).toHaveAttribute('href', '/admin')
    expect(link).toHaveAttribute('target', '_blank')
    expect(link).toHaveAccessibleDescription('opens in a new tab')
  })

  it('the settings hide the admin pages from others', async () => {
    expect((await openSettings([])).queryByRole('menuitem', { name: 'Admin' })).not.toBeInTheDocument()
  })

  it('the settings list the keyboard shortcuts', async () => {
    await userEvent.click((await openSettings()).getByRole('menuitem', { name: 'Keyboard shortcuts' }))
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toHaveTextContent(
      'Move the map',
    )
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).not.toBeInTheDocument()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Settings' })).toHaveFocus())
  })

  it('the settings list the keyboard shortcuts after a question mark is typed', async () => {
    await openSettings()
    await userEvent.keyboard('{Escape}')
    await userEvent.keyboard('?')
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toHaveTextContent(
      'Show this list',
    )
  })

  it('the settings open the help site in a new tab', async () => {
    const link = (await openSettings()).getByRole('menuitem', { name: 'Help' })
    expect(link).toHaveAttribute('href', '/help')
    expect(link).toHaveAttribute('target', '_blank')
    expect(link).toHaveAccessibleDescription('opens in a new tab')
  })

  it('the settings open the profile if a room provides it', async () => {
    const settings = await openSettings(undefined, {
      ProfileDialog: ({ onClose }) => (
        <dialog open aria-label="Profile">
          <button type="button" onClick={onClose}>
            Done
          </button>
        </dialog>
      ),
    })
    await userEvent.click(await settings.findByRole('menuitem', { name: 'Profile Settings' }))
    await userEvent.click(
      within(await screen.findByRole('dialog', { name: 'Profile' })).getByRole('button', { name: 'Done' }),
    )
    expect(screen.queryByRole('dialog', { name: 'Profile' })).not.toBeInTheDocument()
  })

  it('the settings hide the profile if no room provides it', async () => {
    expect(
      (await openSettings()).queryByRole('menuitem', { name: 'Profile Settings' }),
    ).not.toBeInTheDocument()
  })

  it.each([
    [
      'the server disables it',
      { 'GET /v2/feature_flags': () => [{ key: 'profileSettings', enabled: false }] },
    ],
    ['the server does not know it', { 'GET /v2/feature_flags': () => [] }],
    [
      'an administrator impersonates the user',
      {
        'GET /v2/users/me': () => ({
          ...signedIn()['GET /v2/users/me'](),
          impersonatedBy: { user_id: 'a', user_email: 'admin@city.example' },
        }),
      },
    ],
  ])('the settings hide the profile if %s', async (_, responses) => {
    fakeServer({ ...signedIn(), ...responses })
    await renderApp(screens, '/port-meridian/mobility/geographies', {}, { ProfileDialog: () => null })
    await userEvent.click(await screen.findByRole('button', { name: 'Settings' }))
    const settings = within(await screen.findByRole('menu', { name: 'Settings' }))
    expect(settings.getByRole('menuitem', { name: 'Sign Out' })).toBeInTheDocument()
    expect(settings.queryByRole('menuitem', { name: 'Profile Settings' })).not.toBeInTheDocument()
  })

  it('the settings sign out', async () => {
    await userEvent.click((await openSettings()).getByRole('menuitem', { name: 'Sign Out' }))
    expect(await screen.findByRole('heading', { name: 'Out' })).toBeInTheDocument()
  })
})

it('support the keyboard, including Escape to close', async () => {
  const settings = await openSettings()
  const [first] = settings.getAllByRole('menuitemradio')
  await waitFor(() => expect(first).toHaveFocus())
  expect(settings.getByRole('group', { name: 'Language' })).toContainElement(
    settings.getByRole('menuitemradio', { name: 'Español' }),
  )
  expect(settings.getByRole('menuitemradio', { name: 'English (US)' })).toHaveAttribute(
    'aria-checked',
    'true',
  )
  await userEvent.keyboard('{End}')
  expect(settings.getByRole('menuitem', { name: 'Sign Out' })).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}')
  expect(settings.getByRole('menuitem', { name: 'Keyboard shortcuts' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Settings' })).toHaveFocus())
  expect(screen.getByRole('button', { name: 'Settings' })).toHaveAttribute('aria-expanded', 'false')
})

describe('the top bar', () => {
  it('changes the product', async () => {
    fakeServer(signedIn())
    await renderApp(screens, '/port-meridian/mobility/geographies')
    await userEvent.click(await screen.findByRole('button', { name: /^Mobility Manager/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Curb Manager' }))
    expect(await screen.findByRole('heading', { name: 'Curb' })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: /^Curb Manager/ })).toBeInTheDocument()
  })

  it('leads from administration to the product in the last region', async () => {
    fakeServer(signedIn())
    localStorage.setItem('publicway.region', 'port-meridian')
    const users = makeScreenEntry('/admin/users', 'shell:pages.users', () => <h1>Users</h1>)
    const router = await renderApp([...screens, users], '/admin/users')
    await userEvent.click(await screen.findByRole('button', { name: /^Mobility Manager/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Curb Manager' }))
    expect(await screen.findByRole('heading', { name: 'Curb' })).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/port-meridian/curb')
  })

  it('links to the only product', async () => {
    fakeServer(signedIn(undefined, { curbManager: false }))
    await renderApp(screens, '/port-meridian/mobility/geographies')
    expect(await screen.findByRole('link', { name: 'Mobility Manager' })).toHaveAttribute(
      'href',
      '/port-meridian/mobility',
    )
    expect(screen.queryByRole('button', { name: /^Mobility Manager/ })).not.toBeInTheDocument()
  })

  it('names the logo after 500 ms', async () => {
    fakeServer(signedIn())
    await renderApp(screens, '/port-meridian/mobility/geographies')
    const logo = await screen.findByRole('button', { name: /^Mobility Manager/ })
    const from = performance.now()
    await userEvent.hover(logo)
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Choose a product')
    expect(performance.now() - from).toBeGreaterThan(480)
  })

  it('opens the menu of small screens', async () => {
    fakeServer(signedIn())
    await renderApp(screens, '/port-meridian/mobility/geographies')
    await userEvent.click(await screen.findByRole('button', { name: 'Menu' }))
    const menu = within(await screen.findByRole('dialog', { name: 'Menu' }))
    expect(menu.getByRole('link', { name: 'Geographies' })).toHaveAttribute('aria-current', 'page')
    expect(menu.getByRole('link', { name: 'Files' })).toBeInTheDocument()
  })
})
