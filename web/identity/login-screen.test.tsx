import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { LoginScreen } from './login-screen.tsx'

const screens: ScreenEntry[] = [
  makeScreenEntry('/login', 'shell:pages.login', LoginScreen, 'public'),
  makeScreenEntry('/here', 'shell:pages.home', () => <p>Arrived</p>, 'public'),
]
const noDemo = { 'GET /internal/demo': () => new ErrorResponse(404, 'Not Found') }

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

async function signInWith(email: string, password: string) {
  const user = userEvent.setup()
  await user.type(await screen.findByLabelText(/E-mail/), email)
  await user.type(screen.getByLabelText(/^Password/, { selector: 'input' }), password)
  await user.click(screen.getByRole('button', { name: 'Login' }))
}

describe('sign-in', () => {
  it('returns to where the user came from', async () => {
    const { requests } = fakeServer({ ...noDemo, 'POST /api/auth/sign-in/email': () => ({ token: 'x' }) })
    const router = await renderApp(screens, '/login?origin=%2Fhere')
    await signInWith(' ada@city.example ', 'secret')
    expect(await screen.findByText('Arrived')).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/here')
    expect(requests.find((request) => request.method === 'POST')?.body).toEqual({
      email: 'ada@city.example',
      password: 'secret',
    })
  })

  it.each([
    ['/login?origin=%2Fhere', 'Arrived'],
    ['/login', 'Root'],
  ])('sign-in is skipped by signed-in users: %s', async (url, text) => {
    fakeServer({
      ...noDemo,
      'GET /api/auth/get-session': () => ({ session: { id: 's' }, user: { id: 'u' } }),
    })
    await renderApp([...screens, makeScreenEntry('/', 'shell:pages.home', () => <p>Root</p>, 'public')], url)
    expect(await screen.findByText(text)).toBeInTheDocument()
  })

  it('shows why it failed, and retains what was typed', async () => {
    fakeServer({
      ...noDemo,
      'POST /api/auth/sign-in/email': () => new ErrorResponse(401, 'x', 'INVALID_EMAIL_OR_PASSWORD'),
    })
    await renderApp(screens, '/login')
    await signInWith('ada@city.example', 'wrong')
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Login ErrorThe e-mail or the password is wrong.',
    )
    expect(screen.getByLabelText(/E-mail/)).toHaveValue('ada@city.example')
  })

  it('fills in a sign-in of the demo city', async () => {
    fakeServer({
      'GET /internal/demo': () => ({
        sign_ins: [{ email: 'ada@demo.example', password: 'pw', role: 'Administrator' }],
      }),
    })
    await renderApp(screens, '/login')
    await userEvent.click(await screen.findByRole('button', { name: /ada@demo.example/ }))
    expect(screen.getByLabelText(/E-mail/)).toHaveValue('ada@demo.example')
    expect(screen.getByLabelText(/^Password/, { selector: 'input' })).toHaveValue('pw')
  })
})

describe('the sign-in form', () => {
  it('the sign-in form is sent with Enter, and its button waits for the response', async () => {
    let respond: (value: unknown) => void = () => undefined
    const { requests } = fakeServer({
      ...noDemo,
      'POST /api/auth/sign-in/email': () => new Promise((resolve) => (respond = resolve)),
    })
    await renderApp(screens, '/login?origin=/here')
    const user = userEvent.setup()
    await user.type(await screen.findByLabelText(/E-mail/), 'ada@city.example')
    await user.type(screen.getByLabelText(/^Password/, { selector: 'input' }), 'secret{Enter}')
    expect(screen.getByRole('button', { name: 'Login' })).toBeDisabled()
    await user.keyboard('{Enter}')
    expect(requests.filter((request) => request.method === 'POST')).toHaveLength(1)
    respond({ token: 'x' })
    expect(await screen.findByText('Arrived')).toBeInTheDocument()
  })

  it('clears its error when it is sent again', async () => {
    const responses: unknown[] = [new ErrorResponse(429, 'x', 'TOO_MANY_REQUESTS'), { token: 'x' }]
    fakeServer({ ...noDemo, 'POST /api/auth/sign-in/email': () => responses.shift() })
    await renderApp(screens, '/login?origin=/here')
    await signInWith('ada@city.example', 'secret')
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Too many attempts. Wait a while and try again.',
    )
    await userEvent.click(screen.getByRole('button', { name: 'Login' }))
    expect(await screen.findByText('Arrived')).toBeInTheDocument()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  it('shows an error if the server does not respond', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
    await renderApp(screens, '/login')
    await signInWith('ada@city.example', 'secret')
    expect(await screen.findByRole('alert')).toHaveTextContent('The server did not respond.')
  })

  it('shows the password on request, by keyboard too', async () => {
    fakeServer(noDemo)
    await renderApp(screens, '/login')
    const field = await screen.findByLabelText(/^Password/, { selector: 'input' })
    expect(field).toHaveAttribute('type', 'password')
    await userEvent.click(field)
    await userEvent.tab()
    expect(screen.getByRole('button', { name: 'Show password' })).toHaveFocus()
    await userEvent.keyboard(' ')
    expect(field).toHaveAttribute('type', 'text')
    await userEvent.click(screen.getByRole('button', { name: 'Hide password' }))
    expect(field).toHaveAttribute('type', 'password')
  })

  it('leads to no other site after the sign-in', async () => {
    fakeServer({ ...noDemo, 'POST /api/auth/sign-in/email': () => ({ token: 'x' }) })
    const router = await renderApp(
      [...screens, makeScreenEntry('/', 'shell:pages.home', () => <p>The root</p>, 'public')],
      '/login?origin=%2F%09%2Fevil.example',
    )
    await signInWith('ada@city.example', 'secret')
    expect(await screen.findByText('The root')).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/')
  })

  it('names the tab', async () => {
    fakeServer(noDemo)
    await renderApp(screens, '/login')
    await screen.findByLabelText(/E-mail/)
    expect(document.title).toBe('Mobility Manager · Sign in')
  })
})

describe('what the browser remembers', () => {
  it('resets the time of the last activity', async () => {
    localStorage.setItem('publicway.last-active', '1')
    fakeServer({ ...noDemo, 'POST /api/auth/sign-in/email': () => ({ token: 'x' }) })
    await renderApp(screens, '/login?origin=/here')
    await signInWith('ada@city.example', 'secret')
    await screen.findByText('Arrived')
    expect(Date.now() - Number(localStorage.getItem('publicway.last-active'))).toBeLessThan(10_000)
  })

  it('fills in the email after an expired session, and nothing after a sign-out', async () => {
    fakeServer(noDemo)
    localStorage.setItem('publicway.user', JSON.stringify({ email: 'ada@city.example' }))
    await renderApp(screens, '/login')
    expect(await screen.findByLabelText(/E-mail/)).toHaveValue('ada@city.example')
  })

  it.each([
    ['idle', 'You were signed out after 60 minutes without activity.'],
    ['tooOld', 'For security, this needs a recent sign-in. Sign in again to continue.'],
    ['newPassword', 'Your new password is set. Sign in with it.'],
  ])('shows the reason: %s', async (said, text) => {
    fakeServer(noDemo)
    await renderApp(screens, `/login?said=${said}`)
    expect(await screen.findByText(text)).toBeInTheDocument()
  })

  it('shows no text from the URL', async () => {
    fakeServer(noDemo)
    await renderApp(screens, '/login?said=call-me')
    await screen.findByLabelText(/E-mail/)
    expect(screen.queryByRole('status')).not.toBeInTheDocument()
  })
})

describe('Reset Password', () => {
  it('sends the mail to the typed address, and confirms it in green', async () => {
    const { requests } = fakeServer({
      ...noDemo,
      'POST /api/auth/request-password-reset': () => ({ status: true }),
    })
    await renderApp(screens, '/login')
    await userEvent.type(await screen.findByLabelText(/E-mail/), ' ada@city.example ')
    await userEvent.click(screen.getByRole('button', { name: 'Reset Password' }))
    expect(await screen.findByText('Password Reset Email Sent')).toBeInTheDocument()
    expect(screen.getByRole('status').className).toMatch(/good/)
    expect(requests.find((request) => request.method === 'POST')?.body).toEqual({ email: 'ada@city.example' })
  })

  it('requires an address', async () => {
    const { requests } = fakeServer(noDemo)
    await renderApp(screens, '/login')
    await userEvent.click(await screen.findByRole('button', { name: 'Reset Password' }))
    await screen.findByText('Enter your e-mail address. The reset e-mail is sent there.')
    expect(screen.getByLabelText(/E-mail/)).toHaveFocus()
    expect(screen.getByLabelText(/E-mail/)).toHaveAccessibleDescription(
      'Enter your e-mail address. The reset e-mail is sent there.',
    )
    expect(requests.filter((request) => request.method === 'POST')).toEqual([])
    await userEvent.keyboard('a')
    expect(screen.getByLabelText(/E-mail/)).not.toHaveAccessibleDescription()
  })

  it.each([
    [new ErrorResponse(500, 'x'), 'The server could not do this.'],
    [new ErrorResponse(429, 'x', 'TOO_MANY_ATTEMPTS'), 'Too many attempts.'],
    [new ErrorResponse(400, 'x', 'VALIDATION_ERROR'), 'This is not an e-mail address.'],
  ])('shows that it failed, and why', async (errorResponse, text) => {
    fakeServer({ ...noDemo, 'POST /api/auth/request-password-reset': () => errorResponse })
    await renderApp(screens, '/login')
    await userEvent.type(await screen.findByLabelText(/E-mail/), 'ada@city.example')
    await userEvent.click(screen.getByRole('button', { name: 'Reset Password' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(`Error sending reset email.${text}`)
    expect(screen.queryByText('Password Reset Email Sent')).not.toBeInTheDocument()
  })
})

describe('the links below the form', () => {
  it('the links below the form are the terms, a contact for demos, and the language', async () => {
    fakeServer(noDemo)
    await renderApp(screens, '/login')
    expect(await screen.findByRole('link', { name: 'Terms of service' })).toHaveAttribute('href', '/terms')
    expect(screen.getByRole('link', { name: 'Request a demo' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^mailto:\?subject=A%20demo%20of%20Publicway&body=/),
    )
    await userEvent.selectOptions(screen.getByLabelText('Language'), 'Español')
    expect(await screen.findByRole('button', { name: 'Iniciar sesión' })).toBeInTheDocument()
    expect(document.documentElement.lang).toBe('es')
    await userEvent.selectOptions(screen.getByLabelText('Idioma'), 'English (US)')
    expect(await screen.findByRole('button', { name: 'Login' })).toBeInTheDocument()
  })
})
