import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { addressBar } from '#web/data/leave-page.ts'
import { OnboardingScreen } from './onboarding-screen.tsx'

const screens: ScreenEntry[] = [
  makeScreenEntry('/onboarding/$uuid', 'shell:pages.onboarding', OnboardingScreen, 'public'),
]
const endpoint = 'GET /v2/users/get_user_onboarding_link/a-uuid'

beforeEach(() => void vi.spyOn(addressBar, 'assign').mockReturnValue())
afterEach(() => vi.unstubAllGlobals())

describe('/onboarding', () => {
  it('leads to the page to choose a password, on this site only', async () => {
    fakeServer({
      [endpoint]: () => ({
        link: 'https://elsewhere.example/reset-password?token=t1',
        email: 'new@city.example',
      }),
    })
    await renderApp(screens, '/onboarding/a-uuid')
    await waitFor(() => expect(addressBar.assign).toHaveBeenCalledWith('/reset-password?token=t1'))
  })

  it.each([404, 422])('shows that the invitation is no longer valid (%i)', async (status) => {
    fakeServer({ [endpoint]: () => new ErrorResponse(status, 'This invitation is no longer valid.') })
    await renderApp(screens, '/onboarding/a-uuid')
    expect(
      await screen.findByRole('heading', { level: 1, name: 'This invitation is no longer valid' }),
    ).toBeInTheDocument()
    expect(screen.getByText('To the sign-in page')).toHaveAttribute('href', '/login')
    expect(addressBar.assign).not.toHaveBeenCalled()
  })

  it('shows a failure of the server as such, with a retry', async () => {
    const responses: unknown[] = [new ErrorResponse(503, 'Not now')]
    fakeServer({
      [endpoint]: () => responses.shift() ?? { link: '/reset-password?token=t2', email: 'new@city.example' },
    })
    await renderApp(screens, '/onboarding/a-uuid')
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'The invitation could not be loadedNot nowError id, for support: quote-me',
    )
    await userEvent.click(screen.getByText('Try again'))
    await waitFor(() => expect(addressBar.assign).toHaveBeenCalledWith('/reset-password?token=t2'))
  })

  it('shows an error if the server does not respond', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
    await renderApp(screens, '/onboarding/a-uuid')
    expect(await screen.findByRole('alert')).toHaveTextContent('The server did not respond.')
  })
})
