import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '#web/data/test-server.ts'
import { type PageKey, pageKeys, pages, pageTitle } from './pages.ts'
import { renderApp, TestPage } from './test-frame.tsx'
import { signedIn } from './test-responses.ts'

const screens = pageKeys.map((page) => ({
  path: `/$regionId/${pages[page].path}`,
  title: pageTitle(page),
  permission: 'signed_in' as const,
  page,
  Screen: () => <TestPage page={page} />,
}))
afterEach(() => vi.unstubAllGlobals())

const renderChanger = async (page: PageKey) => {
  fakeServer(signedIn())
  const router = await renderApp(screens, `/port-meridian/${pages[page].path}?period=7`)
  await screen.findByRole('heading', { level: 1 })
  return router
}
const findTitle = (name: string) => screen.findByRole('heading', { level: 1, name })
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

describe('the slide changer', () => {
  it('steps through a group with arrows and retains the filters', async () => {
    const router = await renderChanger('tripDistance')
    expect(screen.getByRole('button', { name: 'Previous dashboard' })).toBeDisabled()
    for (const [name, focused] of [
      ['Trip Durations', 'Next dashboard'],
      ['Times and Days', 'Next dashboard'],
      ['Trip Distance by Tech', 'Next dashboard'],
      ['Trip Speed by Tech', 'Dashboard'],
    ] as const) {
      await press('Next dashboard')
      expect(await findTitle(name)).toBeInTheDocument()
      expect(screen.getByLabelText(focused)).toHaveFocus()
    }
    expect(screen.getByRole('button', { name: 'Next dashboard' })).toBeDisabled()
    await press('Previous dashboard')
    expect(await findTitle('Trip Distance by Tech')).toBeInTheDocument()
    expect(router.state.location.search).toEqual({ period: 7 })
  })

  it('opens a dashboard from the list', async () => {
    await renderChanger('parkingTime')
    const list = screen.getByLabelText('Dashboard')
    expect([...list.querySelectorAll('option')].map((option) => option.textContent)).toEqual([
      'Parked Time',
      'Parked Time by District',
    ])
    await userEvent.selectOptions(list, 'Parked Time by District')
    expect(await findTitle('Parked Time by District')).toBeInTheDocument()
    expect(screen.getByLabelText('Dashboard')).toHaveValue('parkingTimeByDistrict')
    expect(screen.getByLabelText('Dashboard')).toHaveFocus()
  })

  it('the slide changer is absent on a page without siblings', async () => {
    await renderChanger('tripCounts')
    expect(screen.queryByRole('group', { name: 'Dashboards of this group' })).not.toBeInTheDocument()
  })
})
