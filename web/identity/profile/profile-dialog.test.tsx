import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EnrolledFactor, User } from '#contract/identity.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { ProfileDialog } from './profile-dialog.tsx'

const screens: ScreenEntry[] = [
  makeScreenEntry('/$regionId/here', 'shell:pages.home', () => <h1>The app</h1>),
  makeScreenEntry('/login', 'shell:pages.login', () => <h1>Sign in</h1>, 'public'),
]
const factor = (kind: EnrolledFactor['kind']): EnrolledFactor => ({
  id: `${kind === 'totp' ? 1 : 2}f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e`,
  kind,
  displayName: kind === 'totp' ? 'Authenticator app' : '••••01',
  enrolledTime: '2026-11-21T12:00:00.000Z',
})
const both = [factor('phone'), factor('totp')]
const codes = ['abcde-fghij', 'klmno-pqrst']

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

async function openProfile(first: Partial<User> = {}, responses: Responses = {}) {
  let me = first
  const { requests } = fakeServer({
    ...signedIn(),
    'POST /api/auth/sign-out': () => ({}),
    'GET /v2/users/me': () => ({ ...signedIn()['GET /v2/users/me'](), ...me }),
    ...responses,
  })
  const router = await renderApp(screens, '/port-meridian/here', {}, { ProfileDialog })
  await userEvent.click(await screen.findByRole('button', { name: 'Settings' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Profile Settings' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Profile Settings' }))
  const bodies = (path: string) =>
    requests
      .filter((request) => request.path === path && request.method !== 'GET')
      .map((request) => request.body)
  return { dialog, bodies: bodies, router, become: (next: Partial<User>) => (me = next) }
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const findDialog = (name: string) => screen.findByRole('dialog', { name })

describe('the account', () => {
  it('shows the email, read-only, and changes the name', async () => {
    const { dialog, bodies, become } = await openProfile(
      {},
      { 'PATCH /v2/users/me': () => (become({ name: 'Ada Lovelace' }), {}) },
    )
    expect(dialog.getByLabelText('E-mail')).toHaveValue('ada@city.example')
    expect(dialog.getByLabelText('E-mail')).toHaveAttribute('readonly')
    expect(dialog.queryByRole('button', { name: 'Save' })).not.toBeInTheDocument()
    await userEvent.clear(dialog.getByLabelText('Name'))
    expect(dialog.getByLabelText('Name')).toHaveAccessibleDescription('Enter a name.')
    await userEvent.type(dialog.getByLabelText('Name'), ' Ada Lovelace {Enter}')
    expect(await dialog.findByText('Saved')).toBeInTheDocument()
    expect(bodies('/v2/users/me')).toEqual([{ name: 'Ada Lovelace' }])
  })

  it('the account has no password and no second factors for users who only use single sign-on', async () => {
    const { dialog } = await openProfile({ providerData: [{ providerId: 'oidc:1' }] })
    expect(dialog.getByText(/You sign in with single sign-on/)).toBeInTheDocument()
    expect(
      dialog.queryByRole('button', { name: /Password|second factor|authenticator/i }),
    ).not.toBeInTheDocument()
  })
})

describe('the password', () => {
  it('the password is reset by email, confirmed in green', async () => {
    const { dialog, bodies } = await openProfile({}, { 'POST /api/auth/request-password-reset': () => ({}) })
    await press('Reset Password')
    expect(await dialog.findByText('Password Reset Email Sent')).toBeInTheDocument()
    expect(bodies('/api/auth/request-password-reset')).toEqual([{ email: 'ada@city.example' }])
  })

  it('shows an error if the mail could not be sent', async () => {
    const { dialog } = await openProfile(
      {},
      { 'POST /api/auth/request-password-reset': () => new ErrorResponse(500, 'x') },
    )
    await press('Reset Password')
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'Error sending reset email.The server could not do this.',
    )
  })

  it('the password is changed with the current one', async () => {
    const responses = [new ErrorResponse(400, 'x', 'INVALID_PASSWORD'), { status: true }]
    const { bodies } = await openProfile({}, { 'POST /api/auth/change-password': () => responses.shift() })
    await press('Change password')
    const form = within(await findDialog('Change password'))
    expect(form.getByLabelText('Current password')).toHaveFocus()
    await userEvent.click(form.getByRole('button', { name: 'Change password' }))
    expect(await form.findByText('Enter your current password.')).toBeInTheDocument()
    await userEvent.type(form.getByLabelText('Current password'), 'old')
    await userEvent.type(form.getByLabelText('New password'), 'twelve letters')
    await userEvent.type(form.getByLabelText('New password again'), 'twelve letters')
    await userEvent.click(form.getByRole('button', { name: 'Change password' }))
    expect(await form.findByText('The current password is wrong.')).toBeInTheDocument()
    await userEvent.click(form.getByRole('button', { name: 'Change password' }))
    expect(await screen.findByText('Password changed')).toBeInTheDocument()
    expect(bodies('/api/auth/change-password')).toEqual([
      { currentPassword: 'old', newPassword: 'twelve letters' },
      { currentPassword: 'old', newPassword: 'twelve letters' },
    ])
  })

  it('the password is not changed after the session has ended', async () => {
    const { router } = await openProfile(
      {},
      { 'POST /api/auth/change-password': () => new ErrorResponse(401, 'x', 'UNAUTHORIZED') },
    )
    await press('Change password')
    await userEvent.type(await screen.findByLabelText('Current password'), 'old')
    await userEvent.type(screen.getByLabelText('New password'), 'twelve letters')
    await userEvent.type(screen.getByLabelText('New password again'), 'twelve letters{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
  })
})

describe('second factors', () => {
  it('second factors are listed in the order of enrollment; existing ones are not offered again', async () => {
    const { dialog } = await openProfile({ enrolledFactors: both })
    expect(
      within(dialog.getByRole('list', { name: 'Second factors' }))
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      expect.stringMatching(/^Text message to ••••01Added Nov 21, 2026/),
      expect.stringMatching(/^Authenticator appAdded/),
    ])
    expect(dialog.queryByRole('button', { name: /^Add / })).not.toBeInTheDocument()
  })

  it('second factors can both be added if there is none, and none removed', async () => {
    const { dialog } = await openProfile()
    expect(dialog.getByText(/None yet/)).toBeInTheDocument()
    expect(dialog.getAllByRole('button', { name: /^Add / }).map(({ textContent }) => textContent)).toEqual([
      'Add authenticator app',
      'Add text message',
    ])
    expect(dialog.queryByRole('button', { name: /Remove|Renew/ })).not.toBeInTheDocument()
  })

  it('second factors are added; the recovery codes cannot be closed by accident', async () => {
    const { become } = await openProfile(
      {},
      {
        'POST /api/auth/multi-factor/totp/start': () => ({
          uri: 'otpauth://x',
          key: 'ABCD',
          recoveryCodes: codes,
        }),
        'POST /api/auth/multi-factor/totp/finish': () => ({}),
      },
    )
    await press('Add authenticator app')
    await userEvent.type(await screen.findByLabelText('Code from the app'), '123456{Enter}')
    await screen.findByText('abcde-fghij')
    await userEvent.keyboard('{Escape}')
    expect(screen.getByText('abcde-fghij')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Close' })).not.toBeInTheDocument()
    await userEvent.click(screen.getByLabelText('I have stored these codes'))
    await press('Continue')
    expect(await screen.findByText('Multi-factor device added')).toBeInTheDocument()
    become({ enrolledFactors: [factor('totp')] })
    await press('Continue')
    expect(await screen.findByRole('list', { name: 'Second factors' })).toHaveTextContent('Authenticator app')
  })

  it('second factors create no recovery codes if they are the second', async () => {
    await openProfile(
      { enrolledFactors: [factor('totp')] },
      {
        'POST /api/auth/multi-factor/phone/start': () => ({ phoneNumber: '+15550100100' }),
        'POST /api/auth/multi-factor/phone/finish': () => ({ recoveryCodes: null }),
      },
    )
    await press('Add text message')
    await userEvent.type(await screen.findByLabelText('Phone number'), '15550100100{Enter}')
    await userEvent.type(await screen.findByLabelText('Code from the message'), '123456{Enter}')
    expect(await screen.findByText('Multi-factor device added')).toBeInTheDocument()
  })

  it('second factors are removed starting with the first, as the confirmation says', async () => {
    const { bodies, become } = await openProfile(
      { enrolledFactors: both },
      { 'POST /api/auth/multi-factor/unenrol': () => (become({ enrolledFactors: [factor('totp')] }), {}) },
    )
    await press('Remove a second factor')
    const question = await findDialog('Remove a second factor')
    expect(question).toHaveTextContent(
      'Only the first enrolled second factor is removed: Text message to ••••01.Your other second factors and your recovery codes stay.',
    )
    expect(bodies('/api/auth/multi-factor/unenrol')).toEqual([])
    await press('Remove')
    expect(await screen.findByText('Multi-factor device removed')).toBeInTheDocument()
    expect(screen.getByRole('list', { name: 'Second factors' })).not.toHaveTextContent('Text message')
  })

  it('second factors show a warning before the only one is removed', async () => {
    await openProfile(
      { enrolledFactors: [factor('totp')] },
      { 'POST /api/auth/multi-factor/unenrol': () => new ErrorResponse(400, 'x', 'UNSUPPORTED_FACTOR') },
    )
    await press('Remove a second factor')
    expect(await findDialog('Remove a second factor')).toHaveTextContent('This is your only second factor.')
    await press('Remove')
    expect(await screen.findByRole('alert')).toHaveTextContent('Multi-factor ErrorUnsupported MFA type')
    await press('Cancel')
    expect(await findDialog('Profile Settings')).toBeInTheDocument()
  })

  it('second factors are removed after a newer sign-in if required', async () => {
    const { router } = await openProfile(
      { enrolledFactors: both },
      {
        'POST /api/auth/multi-factor/unenrol': () =>
          new ErrorResponse(403, 'x', 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN'),
      },
    )
    await press('Remove a second factor')
    await press('Remove')
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeInTheDocument()
    expect(router.state.location.search).toEqual({ origin: '/port-meridian/here', said: 'tooOld' })
    expect(JSON.parse(localStorage.getItem('publicway.want-to-unenroll') ?? '')).toMatchObject({
      userId: 'u1',
    })
  })

  it('second factors get new recovery codes, which must be confirmed', async () => {
    await openProfile(
      { enrolledFactors: both },
      { 'POST /api/auth/multi-factor/recovery-codes': () => ({ recoveryCodes: codes }) },
    )
    await press('Renew recovery codes')
    expect(await findDialog('Renew recovery codes')).toHaveTextContent('The previous ones stop working.')
    await press('Renew recovery codes')
    expect(await screen.findByText('klmno-pqrst')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Close' })).not.toBeInTheDocument()
    await userEvent.click(screen.getByLabelText('I have stored these codes'))
    await press('Continue')
    expect(await findDialog('Profile Settings')).toBeInTheDocument()
  })
})
