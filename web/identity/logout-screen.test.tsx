import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { LogoutScreen } from './logout-screen.tsx'

const screens: ScreenEntry[] = [
  makeScreenEntry('/logout', 'shell:pages.logout', LogoutScreen, 'public'),
  makeScreenEntry('/', 'shell:pages.home', () => <h1>The root</h1>, 'public'),
]
beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

it('ends the session, forgets the user and leads to the root', async () => {
  for (const key of ['user', 'last-active', 'impersonated-user', 'region'])
    localStorage.setItem(`publicway.${key}`, '{}')
  const { requests } = fakeServer({ 'POST /api/auth/sign-out': () => ({ success: true }) })
  await renderApp(screens, '/logout')
  expect(await screen.findByRole('heading', { name: 'The root' })).toBeInTheDocument()
  expect(requests.some((request) => request.path === '/api/auth/sign-out')).toBe(true)
  expect(Object.keys(localStorage)).toEqual(['publicway.region'])
})

it('shows an error if sign-out fails, still remembers the user, and offers a retry', async () => {
  localStorage.setItem('publicway.user', '{}')
  const responses = [new ErrorResponse(500, 'Not now'), {}]
  fakeServer({ 'POST /api/auth/sign-out': () => (responses.length > 1 ? responses.shift() : responses[0]) })
  await renderApp(screens, '/logout')
  expect(await screen.findByRole('alert')).toHaveTextContent('Not now')
  expect(localStorage.getItem('publicway.user')).not.toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { name: 'The root' })).toBeInTheDocument()
})
