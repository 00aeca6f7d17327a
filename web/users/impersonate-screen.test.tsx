import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import { impersonation } from '#web/shell/impersonation.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { addressBar } from '#web/data/leave-page.ts'
import { ImpersonateScreen } from './impersonate-screen.tsx'

const screens: ScreenEntry[] = [
  makeScreenEntry('/impersonate', 'shell:pages.impersonate', ImpersonateScreen, 'is_admin'),
]
const grace = { user_id: '1234567890', user_email: 'grace@city.example' }

beforeEach(() => {
  localStorage.clear()
  impersonation.write(null)
  vi.spyOn(addressBar, 'assign').mockReturnValue()
})
afterEach(() => vi.unstubAllGlobals())

const readStoredUser = () =>
  JSON.parse(localStorage.getItem('publicway.impersonated-user') ?? 'null') as unknown
const startRequests = (requests: { method: string; path: string; body: unknown }[]) =>
  requests.filter(({ path }) => path === '/v2/impersonation').map(({ method, body }) => [method, body])

describe('/impersonate', () => {
  it('makes one request, stores the user of the response, forgets the region and restarts at the root', async () => {
    localStorage.setItem('publicway.region', 'port-meridian')
    const { requests } = fakeServer({ ...signedIn(), 'POST /v2/impersonation': () => grace })
    await renderApp(screens, '/impersonate?id=1234567890&email=Grace%40city.example')
    await waitFor(() => expect(addressBar.assign).toHaveBeenCalledExactlyOnceWith('/'))
    expect(startRequests(requests)).toEqual([
      ['POST', { user_id: '1234567890', user_email: 'Grace@city.example' }],
    ])
    expect(readStoredUser()).toEqual(grace)
    expect(localStorage.getItem('publicway.region')).toBeNull()
  })

  it.each(['', '?id=u2', '?email=grace%40city.example'])(
    'shows what is missing in the query "%s", and makes no request',
    async (search) => {
      const { requests } = fakeServer(signedIn())
      await renderApp(screens, `/impersonate${search}`)
      expect(await screen.findByRole('alert')).toHaveTextContent(
        'The URL must name the user by id and e-mail',
      )
      expect(startRequests(requests)).toEqual([])
      expect(readStoredUser()).toBeNull()
    },
  )

  it('shows why it was refused, and stores nothing', async () => {
    fakeServer({
      ...signedIn(),
      'POST /v2/impersonation': () => new ErrorResponse(404, 'There is no such user in your organization.'),
    })
    await renderApp(screens, '/impersonate?id=u9&email=x%40y.example')
    expect(await screen.findByText('There is no such user in your organization.')).toBeInTheDocument()
    expect(screen.getByText('Choose a user').closest('a')).toHaveAttribute('href', '/admin/users')
    expect(readStoredUser()).toBeNull()
    expect(addressBar.assign).not.toHaveBeenCalled()
  })

  it('/impersonate is not found for users who are not administrators', async () => {
    const { requests } = fakeServer(signedIn(['edit_policy']))
    await renderApp(screens, '/impersonate?id=u9&email=x%40y.example')
    expect(await screen.findByText(/can’t seem to find/)).toBeInTheDocument()
    expect(startRequests(requests)).toEqual([])
  })
})
