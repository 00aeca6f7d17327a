import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { LoginScreen } from './login-screen.tsx'
import { NewPasswordScreen } from './new-password-screen.tsx'
import { findNewPasswordFault } from './new-password-fault.ts'
import { readSavedProvider, saveProvider } from './saved-provider.ts'
import { TermsScreen } from './terms-screen.tsx'

const screens: ScreenEntry[] = [
  makeScreenEntry('/login', 'shell:pages.login', LoginScreen, 'public'),
  makeScreenEntry('/login/new-password', 'shell:pages.newPassword', NewPasswordScreen, 'public'),
  makeScreenEntry('/terms', 'shell:pages.terms', TermsScreen, 'public'),
]
const noDemo = { 'GET /internal/demo': () => new ErrorResponse(404, 'Not Found') }
beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

async function choose(password: string, repeat = password) {
  await userEvent.type(await screen.findByLabelText('New password'), password)
  await userEvent.type(screen.getByLabelText('New password again'), repeat)
  await userEvent.click(screen.getByRole('button', { name: 'Set password' }))
}

describe('a new password', () => {
  it('a new password is set with the token of the link, even if it consists of digits, and the sign-in page confirms it', async () => {
    saveProvider({ providerId: 'p', name: 'City', email: 'ada@city.example' })
    const { requests } = fakeServer({ ...noDemo, 'POST /api/auth/reset-password': () => ({ status: true }) })
    const router = await renderApp(screens, '/login/new-password?token=007')
    await choose('twelve letters')
    expect(await screen.findByText('Your new password is set. Sign in with it.')).toBeInTheDocument()
    expect(router.state.location.href).toBe('/login?said=newPassword')
    expect(requests.find((request) => request.method === 'POST')?.body).toEqual({
      token: '007',
      newPassword: 'twelve letters',
    })
    // A user who set a password does not use single sign-on.
    expect(readSavedProvider()).toBeNull()
    expect(screen.getByLabelText('Password')).toBeInTheDocument()
  })

  it('a new password has at least twelve characters, and is typed twice', async () => {
    const { requests } = fakeServer(noDemo)
    await renderApp(screens, '/login/new-password?token=t')
    await choose('too short !')
    await waitFor(() =>
      expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(
        'At least 12 characters The password needs at least 12 characters.',
      ),
    )
    await userEvent.type(screen.getByLabelText('New password'), '!')
    await waitFor(() =>
      expect(screen.getByLabelText('New password again')).toHaveAccessibleDescription(
        'The two passwords are not the same.',
      ),
    )
    await userEvent.type(screen.getByLabelText('New password again'), '!')
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
    expect(requests).toEqual([])
  })

  it.each(['/login/new-password', '/login/new-password?token='])(
    'a new password without a token (%s) offers a new link',
    async (address) => {
      fakeServer(noDemo)
      await renderApp(screens, address)
      expect(await screen.findByRole('alert')).toHaveTextContent(
        'The password was not setThis link has expired or was already used. Request a new one.',
      )
      expect(screen.getByRole('link', { name: 'Request a new link' })).toHaveAttribute('href', '/login')
      expect(screen.queryByLabelText('New password')).not.toBeInTheDocument()
    },
  )

  it('a new password with a used or expired link shows an error', async () => {
    fakeServer({
      ...noDemo,
      'POST /api/auth/reset-password': () => new ErrorResponse(400, 'x', 'INVALID_TOKEN'),
    })
    await renderApp(screens, '/login/new-password?token=t')
    await choose('twelve letters')
    expect(await screen.findByRole('alert')).toHaveTextContent('This link has expired or was already used.')
    expect(screen.getByRole('link', { name: 'Request a new link' })).toBeInTheDocument()
  })

  it('a new password can be tried again after another error', async () => {
    const responses = [new ErrorResponse(500, 'x'), { status: true }]
    fakeServer({ ...noDemo, 'POST /api/auth/reset-password': () => responses.shift() })
    await renderApp(screens, '/login/new-password?token=t')
    await choose('twelve letters')
    expect(await screen.findByRole('alert')).toHaveTextContent('The server could not do this.')
    await userEvent.click(screen.getByRole('button', { name: 'Set password' }))
    expect(await screen.findByText('Your new password is set. Sign in with it.')).toBeInTheDocument()
  })

  it.each([
    ['12345678901', '12345678901', 'password'],
    ['x'.repeat(129), 'x'.repeat(129), 'password'],
    ['123456789012', '123456789013', 'repeat'],
    ['123456789012', '123456789012', undefined],
    ['x'.repeat(128), 'x'.repeat(128), undefined],
  ])('%s and %s: the field with the error is %s', (password, repeat, field) =>
    expect(findNewPasswordFault({ password, repeat })?.field).toBe(field),
  )
})

it('the terms of service are public, in both languages', async () => {
  const { requests } = fakeServer({})
  await renderApp(screens, '/terms')
  expect(await screen.findByRole('heading', { level: 1, name: 'Terms of service' })).toBeInTheDocument()
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'Who provides this service',
    'Your account',
    'The data you see',
    'What is stored about you',
    'What is stored in your browser',
    'No warranty',
    'Changes',
  ])
  expect(screen.getByRole('link', { name: 'To the sign-in page' })).toHaveAttribute('href', '/login')
  expect(requests).toEqual([])
})
