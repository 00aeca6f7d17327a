import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer, Refusal } from '#web/data/fake-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { LogoutScreen } from './logout-screen.tsx'

const screens: ScreenEntry[] = [
  { path: '/logout', title: 'shell:pages.logout', permission: 'public', Screen: LogoutScreen },
  { path: '/login', title: 'shell:pages.login', permission: 'public', Screen: () => <h1>Sign in</h1> },
]
afterEach(() => vi.unstubAllGlobals())

it('ends the session and leads to the sign-in page', async () => {
  const { asked } = fakeServer({ 'POST /api/auth/sign-out': () => ({ success: true }) })
  await renderApp(screens, '/logout')
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeInTheDocument()
  expect(asked.some((one) => one.path === '/api/auth/sign-out')).toBe(true)
})

it('says when that failed, and tries again', async () => {
  const answers = [new Refusal(500, 'Not now'), {}]
  fakeServer({ 'POST /api/auth/sign-out': () => (answers.length > 1 ? answers.shift() : answers[0]) })
  await renderApp(screens, '/logout')
  expect(await screen.findByRole('alert')).toHaveTextContent('Not now')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeInTheDocument()
})
