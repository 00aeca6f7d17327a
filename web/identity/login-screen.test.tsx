import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, Refusal } from '#web/data/fake-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { LoginScreen } from './login-screen.tsx'

const screens: ScreenEntry[] = [
  { path: '/login', title: 'shell:pages.login', permission: 'public', Screen: LoginScreen },
  { path: '/here', title: 'shell:pages.home', permission: 'public', Screen: () => <p>Arrived</p> },
]
const noDemo = { 'GET /internal/demo': () => new Refusal(404, 'Not Found') }

afterEach(() => vi.unstubAllGlobals())

async function signInWith(email: string, password: string) {
  const user = userEvent.setup()
  await user.type(await screen.findByLabelText(/E-mail/), email)
  await user.type(screen.getByLabelText(/^Password/, { selector: 'input' }), password)
  await user.click(screen.getByRole('button', { name: 'Login' }))
}

describe('sign-in', () => {
  it('returns to where the user came from', async () => {
    const { asked } = fakeServer({ ...noDemo, 'POST /api/auth/sign-in/email': () => ({ token: 'x' }) })
    const router = await renderApp(screens, '/login?origin=%2Fhere')
    await signInWith(' ada@city.example ', 'secret')
    expect(await screen.findByText('Arrived')).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/here')
    expect(asked.find((one) => one.method === 'POST')?.body).toEqual({ email: 'ada@city.example', password: 'secret' })
  })

  it('says why it failed, and keeps what was typed', async () => {
    fakeServer({ ...noDemo, 'POST /api/auth/sign-in/email': () => new Refusal(401, 'x', 'INVALID_EMAIL_OR_PASSWORD') })
    await renderApp(screens, '/login')
    await signInWith('ada@city.example', 'wrong')
    expect(await screen.findByRole('alert')).toHaveTextContent('Login ErrorThe e-mail or the password is wrong.')
    expect(screen.getByLabelText(/E-mail/)).toHaveValue('ada@city.example')
  })

  it('is honest about mail', async () => {
    fakeServer(noDemo)
    await renderApp(screens, '/login')
    await userEvent.click(await screen.findByRole('button', { name: 'Reset Password' }))
    expect(screen.getByRole('status')).toHaveTextContent('does not send e-mail yet')
  })

  it('fills in a sign-in of the demo city', async () => {
    fakeServer({ 'GET /internal/demo': () => ({ sign_ins: [{ email: 'ada@demo.example', password: 'pw', role: 'Administrator' }] }) })
    await renderApp(screens, '/login')
    await userEvent.click(await screen.findByRole('button', { name: /ada@demo.example/ }))
    expect(screen.getByLabelText(/E-mail/)).toHaveValue('ada@demo.example')
    expect(screen.getByLabelText(/^Password/, { selector: 'input' })).toHaveValue('pw')
  })
})

describe('the form of the sign-in', () => {
  it('is sent with Enter, and its button waits for the answer', async () => {
    let answer: (value: unknown) => void = () => undefined
    const { asked } = fakeServer({ ...noDemo, 'POST /api/auth/sign-in/email': () => new Promise((resolve) => (answer = resolve)) })
    await renderApp(screens, '/login?origin=/here')
    const user = userEvent.setup()
    await user.type(await screen.findByLabelText(/E-mail/), 'ada@city.example')
    await user.type(screen.getByLabelText(/^Password/, { selector: 'input' }), 'secret{Enter}')
    expect(screen.getByRole('button', { name: 'Login' })).toBeDisabled()
    await user.keyboard('{Enter}')
    expect(asked.filter((one) => one.method === 'POST')).toHaveLength(1)
    answer({ token: 'x' })
    expect(await screen.findByText('Arrived')).toBeInTheDocument()
  })

  it('forgets its error when it is sent again', async () => {
    const answers: unknown[] = [new Refusal(429, 'x', 'TOO_MANY_REQUESTS'), { token: 'x' }]
    fakeServer({ ...noDemo, 'POST /api/auth/sign-in/email': () => answers.shift() })
    await renderApp(screens, '/login?origin=/here')
    await signInWith('ada@city.example', 'secret')
    expect(await screen.findByRole('alert')).toHaveTextContent('Too many attempts. Wait a minute and try again.')
    await userEvent.click(screen.getByRole('button', { name: 'Login' }))
    expect(await screen.findByText('Arrived')).toBeInTheDocument()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  it('says when nobody answers', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
    await renderApp(screens, '/login')
    await signInWith('ada@city.example', 'secret')
    expect(await screen.findByRole('alert')).toHaveTextContent('The server did not answer.')
  })

  it('shows the password to whoever asks, by keyboard too', async () => {
    fakeServer(noDemo)
    await renderApp(screens, '/login')
    const field = await screen.findByLabelText(/^Password/, { selector: 'input' })
    expect(field).toHaveAttribute('type', 'password')
    await userEvent.click(field)
    await userEvent.tab()
    expect(screen.getByRole('button', { name: 'Show password' })).toHaveFocus()
    await userEvent.keyboard(' ')
    expect(field).toHaveAttribute('type', 'text')
  })

  it('leads to no other site after the sign-in', async () => {
    fakeServer({ ...noDemo, 'POST /api/auth/sign-in/email': () => ({ token: 'x' }) })
    const router = await renderApp([...screens, { path: '/', title: 'shell:pages.home', permission: 'public', Screen: () => <p>The root</p> }], '/login?origin=%2F%09%2Fevil.example')
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
