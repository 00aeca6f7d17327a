import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EnrolledFactor, User } from '#contract/identity.ts'
import { hourMs } from '#contract/period.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { IdentityGate } from './identity-gate.tsx'
import { storePendingAction } from './session/pending-actions.ts'

const screens: ScreenEntry[] = [
  makeScreenEntry('/$regionId/here', 'shell:pages.home', () => <h1>The app</h1>),
  makeScreenEntry('/login', 'shell:pages.login', () => <h1>Sign in</h1>, 'public'),
  makeScreenEntry('/logout', 'shell:pages.logout', () => <h1>Out</h1>, 'public'),
]
const totp: EnrolledFactor = {
  id: '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e',
  kind: 'totp',
  displayName: 'Authenticator app',
  enrolledTime: '2026-11-21T12:00:00.000Z',
}
const viewedBy = { impersonatedBy: { user_id: 'a', user_email: 'admin@city.example' } }

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

async function renderGate(first: Partial<User>, responses: Responses = {}) {
  let me = first
  const { requests } = fakeServer({
    ...signedIn(),
    'POST /api/auth/sign-out': () => ({}),
    'GET /v2/users/me': () => ({ ...signedIn()['GET /v2/users/me'](), ...me }),
    ...responses,
  })
  const router = await renderApp(screens, '/port-meridian/here', {}, { Gate: IdentityGate })
  const listCalls = (path: string) => requests.filter((request) => request.path === path)
  return { router, calls: listCalls, become: (next: Partial<User>) => (me = next) }
}
const findApp = () => screen.findByRole('heading', { name: 'The app' })
const findChooser = () => screen.findByRole('heading', { name: 'Add a second factor' })

describe('the second factor', () => {
  it.each([
    ['is enrolled', { mfaRequired: true, enrolledFactors: [totp] }],
    ['is not required', { mfaRequired: false }],
    ['is required of an impersonated user', { mfaRequired: true, ...viewedBy }],
  ])('the second factor that %s does not block the app', async (_, me) => {
    await renderGate(me)
    expect(await findApp()).toBeInTheDocument()
    expect(screen.queryByText('Add a second factor')).not.toBeInTheDocument()
  })

  it('the second factor that is required and missing shows a chooser instead of the app, with a link to sign out', async () => {
    await renderGate({ mfaRequired: true })
    await findChooser()
    expect(
      screen.getByText('Your organization requires a second factor. Choose one to continue.'),
    ).toBeInTheDocument()
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Authenticator app/),
      expect.stringMatching(/^Text message/),
    ])
    expect(screen.queryByRole('heading', { name: 'The app' })).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('link', { name: 'Sign Out' }))
    expect(await screen.findByRole('heading', { name: 'Out' })).toBeInTheDocument()
  })

  it('the second factor that was requested before a new sign-in shows the same chooser, which can be closed', async () => {
    storePendingAction('enroll', 'u1', Date.now())
    await renderGate({})
    await findChooser()
    await userEvent.click(screen.getByRole('button', { name: 'Not now' }))
    expect(await findApp()).toBeInTheDocument()
    expect(localStorage.getItem('publicway.want-to-enroll')).toBeNull()
  })

  it('the second factor that another user requested is ignored', async () => {
    storePendingAction('enroll', 'u2', Date.now())
    await renderGate({})
    expect(await findApp()).toBeInTheDocument()
  })

  it('the second factor in addition to an enrolled one is added in a dialog over the app', async () => {
    storePendingAction('enroll', 'u1', Date.now())
    await renderGate({ enrolledFactors: [totp] })
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a second factor' }))
    expect(dialog.getByLabelText('Phone number')).toBeInTheDocument()
    expect(await findApp()).toBeInTheDocument()
  })
})

describe('a pending removal', () => {
  it('continues once after the new sign-in, and is confirmed', async () => {
    storePendingAction('unenroll', 'u1', Date.now())
    const { calls, become } = await renderGate(
      { enrolledFactors: [totp] },
      { 'POST /api/auth/multi-factor/unenrol': () => (become({}), { enrolledFactors: [] }) },
    )
    expect(await screen.findByText('Multi-factor device removed')).toBeInTheDocument()
    expect(calls('/api/auth/multi-factor/unenrol')).toHaveLength(1)
    expect(localStorage.getItem('publicway.want-to-unenroll')).toBeNull()
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close' }))
    expect(await findApp()).toBeInTheDocument()
  })

  it('a pending removal of another user does not continue', async () => {
    storePendingAction('unenroll', 'u2', Date.now())
    const { calls } = await renderGate({ enrolledFactors: [totp] })
    await findApp()
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(calls('/api/auth/multi-factor/unenrol')).toEqual([])
  })
})

describe('the terms of service', () => {
  it('the terms of service block the app until they are accepted; Esc does not close them', async () => {
    const { calls, become } = await renderGate(
      { acceptedTermsOfService: false },
      { 'PATCH /v2/users/me': () => (become({ acceptedTermsOfService: true }), {}) },
    )
    const dialog = within(await screen.findByRole('dialog', { name: 'Terms of service' }))
    expect(dialog.getByText('Who provides this service')).toBeInTheDocument()
    await userEvent.keyboard('{Escape}')
    expect(screen.getByRole('dialog', { name: 'Terms of service' })).toBeInTheDocument()
    expect(dialog.queryByRole('button', { name: 'Close' })).not.toBeInTheDocument()
    await userEvent.click(dialog.getByRole('button', { name: 'Accept' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(
      calls('/v2/users/me')
        .filter(({ method }) => method === 'PATCH')
        .map(({ body }) => body),
    ).toEqual([{ acceptedTermsOfService: true }])
  })

  it('the terms of service show an error if accepting failed', async () => {
    await renderGate(
      { acceptedTermsOfService: false },
      { 'PATCH /v2/users/me': () => new ErrorResponse(503, 'Not now') },
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Accept' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('The terms could not be acceptedNot now')
    expect(screen.getByRole('dialog')).toBeInTheDocument()
  })

  it('the terms of service sign out a user who declines', async () => {
    await renderGate({ acceptedTermsOfService: false })
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(await screen.findByRole('heading', { name: 'Out' })).toBeInTheDocument()
  })

  it('the terms of service are not shown to an impersonating administrator', async () => {
    await renderGate({ acceptedTermsOfService: false, ...viewedBy })
    await findApp()
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })
})

describe('an inactive user', () => {
  it('an inactive user is signed out at load after an hour, before anything is requested', async () => {
    localStorage.setItem('publicway.last-active', String(Date.now() - hourMs))
    const { router, calls } = await renderGate({})
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeInTheDocument()
    expect(router.state.location.search).toEqual({ origin: '/port-meridian/here', said: 'idle' })
    expect(calls('/api/auth/sign-out')).toHaveLength(1)
    expect(calls('/v2/regions/port-meridian')).toEqual([])
  })

  it('stays signed in after a little less than an hour', async () => {
    localStorage.setItem('publicway.last-active', String(Date.now() - 3_500_000))
    await renderGate({})
    expect(await findApp()).toBeInTheDocument()
    expect(Date.now() - Number(localStorage.getItem('publicway.last-active'))).toBeLessThan(60_000)
  })

  it('an inactive user is signed out when another tab signs out', async () => {
    const { calls } = await renderGate({})
    await findApp()
    localStorage.removeItem('publicway.last-active')
    act(
      () =>
        void window.dispatchEvent(
          new StorageEvent('storage', { key: 'publicway.last-active', newValue: null }),
        ),
    )
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeInTheDocument()
    expect(calls('/api/auth/sign-out')).toEqual([])
    expect(localStorage.getItem('publicway.user')).toBeNull()
  })
})
