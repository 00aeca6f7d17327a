import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OrganizationSettings } from '#contract/settings.ts'
import { fakeServer } from '#web/data/test-server.ts'
import { hasVersionMismatch } from '#web/data/signals.ts'
import { endImpersonation, impersonation, storeImpersonation } from './impersonation.ts'
import type { ScreenEntry } from './screen-entry.ts'
import { renderApp, makeScreenEntry } from './test-frame.tsx'
import { signedIn, testRegion } from './test-responses.ts'

const screens: ScreenEntry[] = [
  makeScreenEntry('/$regionId/mobility/geographies', 'shell:pages.geographies', () => <h1>Here</h1>),
]
const year = new Date().getFullYear()
const dates = { subscriptionStartDate: `${year - 1}-01-01`, subscriptionEndDate: `${year + 1}-12-31` }

beforeEach(() => localStorage.clear())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  impersonation.write(null)
  hasVersionMismatch.write(false)
})

async function renderNotices(
  settings: Partial<OrganizationSettings> = {},
  logoFilename: string | null = null,
) {
  fakeServer({
    ...signedIn(undefined, settings),
    'GET /v2/regions/port-meridian': () => ({
      ...testRegion('port-meridian', 'Port Meridian'),
      logoFilename,
    }),
  })
  await renderApp(screens, '/port-meridian/mobility/geographies')
  await screen.findByRole('heading', { name: 'Here' })
}

describe('the subscription notice', () => {
  it('the subscription notice is shown only if both dates are set', async () => {
    await renderNotices({ subscriptionEndDate: dates.subscriptionEndDate })
    expect(screen.queryByText(/subscription/)).not.toBeInTheDocument()
  })

  it('collapses after ten seconds and expands again', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await renderNotices(dates)
    const text = /^\d+ days left in your subscription$/
    expect(screen.getByText(text)).toBeInTheDocument()
    await act(() => vi.advanceTimersByTimeAsync(9000))
    expect(screen.getByText(text)).toBeInTheDocument()
    await act(() => vi.advanceTimersByTimeAsync(1500))
    expect(screen.queryByText(text)).not.toBeInTheDocument()
    act(() => screen.getByRole('button', { name: text }).click())
    expect(screen.getByText(text)).toBeInTheDocument()
  })

  it('moves the focus when it collapses and expands, and does not collapse while the dialog is open', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await renderNotices(dates)
    const getRenewButton = () => screen.getByRole('button', { name: 'Renew' })
    const getCollapsedNotice = () => screen.getByRole('button', { name: /days left/ })
    act(() => getRenewButton().focus())
    await act(() => vi.advanceTimersByTimeAsync(10_500))
    expect(getCollapsedNotice()).toHaveFocus()
    act(() => getCollapsedNotice().click())
    expect(getRenewButton()).toHaveFocus()
    act(() => getRenewButton().click())
    await screen.findByRole('dialog', { name: 'Contact the team' })
    await act(() => vi.advanceTimersByTimeAsync(30_000))
    expect(screen.getByRole('button', { name: 'Renew', hidden: true })).toBeInTheDocument()
    act(() => screen.getByRole('button', { name: 'Close' }).click())
    await act(() => vi.advanceTimersByTimeAsync(9000))
    expect(getRenewButton()).toBeInTheDocument()
    await act(() => vi.advanceTimersByTimeAsync(1500))
    expect(getCollapsedNotice()).toBeInTheDocument()
  })

  it('shows the expiry, and renewing opens a prefilled message', async () => {
    await renderNotices({ subscriptionStartDate: '2020-01-01', subscriptionEndDate: '2020-12-31' })
    expect(screen.getByText('Your subscription has expired')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Renew' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Contact the team' }))
    expect(dialog.getByLabelText('Message')).toHaveValue(
      'Hello,\n\nwe would like to renew the subscription of Port Meridian, which ends on 2020-12-31. Please tell us what to do next.',
    )
    await userEvent.clear(dialog.getByLabelText('Message'))
    await userEvent.type(dialog.getByLabelText('Message'), 'For two years & more')
    expect(dialog.getByRole('link', { name: 'Send by e-mail' })).toHaveAttribute(
      'href',
      'mailto:?subject=Renewal%20of%20the%20subscription%20of%20Port%20Meridian&body=For%20two%20years%20%26%20more',
    )
  })
})

describe('the impersonation banner', () => {
  it('shows the impersonated user', async () => {
    await renderNotices()
    expect(screen.queryByText(/Viewing as/)).not.toBeInTheDocument()
    localStorage.setItem('publicway.region', 'port-meridian')
    act(() => storeImpersonation({ user_id: 'u2', user_email: 'bo@city.example' }))
    expect(screen.getByText('Viewing as bo@city.example')).toBeInTheDocument()
    expect(JSON.parse(localStorage.getItem('publicway.impersonated-user') ?? '')).toEqual({
      user_id: 'u2',
      user_email: 'bo@city.example',
    })
    expect(localStorage.getItem('publicway.region')).toBeNull()
    expect(screen.getByRole('button', { name: 'End Session' })).toBeInTheDocument()
  })

  it('ends, clears the storage and reloads the page', () => {
    storeImpersonation({ user_id: 'u2', user_email: 'bo@city.example' })
    localStorage.setItem('publicway.user', '{}')
    const reload = vi.fn<() => void>()
    endImpersonation(reload)
    expect(localStorage).toHaveLength(0)
    expect(impersonation.read()).toBeNull()
    expect(reload).toHaveBeenCalledOnce()
  })
})

describe('another version of the server', () => {
  it('another version of the server is announced in a dialog that can be postponed', async () => {
    await renderNotices()
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    act(() => hasVersionMismatch.write(true))
    const dialog = within(await screen.findByRole('dialog', { name: 'The app was updated' }))
    expect(dialog.getByRole('button', { name: 'Reload' })).toBeInTheDocument()
    await userEvent.click(dialog.getByRole('button', { name: 'Later' }))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })
})

describe('the logo of the region', () => {
  it('the logo of the region is shown if it loads, and hidden otherwise', async () => {
    await renderNotices({}, 'port meridian.svg')
    const logo = screen.getByRole('img', { name: 'Port Meridian' })
    expect(logo).toHaveAttribute('src', '/logos/port%20meridian.svg')
    act(() => void logo.dispatchEvent(new Event('error')))
    expect(screen.queryByRole('img', { name: 'Port Meridian' })).not.toBeInTheDocument()
  })

  it('the logo of the region is absent without a file', async () => {
    await renderNotices()
    expect(screen.queryByRole('img', { name: 'Port Meridian' })).not.toBeInTheDocument()
  })
})
