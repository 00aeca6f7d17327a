import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import type { ScreenEntry } from './screen-entry.ts'
import { rememberUser } from './browser-storage.ts'
import { renderApp } from './test-frame.tsx'
import { signedIn } from './test-responses.ts'

const responses = signedIn()
const me = responses['GET /v2/users/me']()
const user = {
  id: me.id,
  email: me.email,
  name: me.name,
  organizationId: me.organizationId,
  acceptedTermsOfService: true,
  providerData: [],
}
const prefetchScreen = vi.fn<NonNullable<ScreenEntry['prefetch']>>(() => Promise.reject(new Error('away')))
const screens: ScreenEntry[] = [
  {
    path: '/$regionId/here',
    title: 'shell:pages.home',
    permission: 'signed_in',
    Screen: () => 'Here',
    prefetch: prefetchScreen,
  },
]

beforeEach(() => {
  localStorage.clear()
  prefetchScreen.mockClear()
})
afterEach(() => vi.unstubAllGlobals())

/** Paths that were requested before the user was loaded. */
async function listPrefetchedPaths(): Promise<string[]> {
  let resolveUser = (): void => undefined
  const userLoaded = new Promise<void>((resolve) => (resolveUser = resolve))
  const { requests } = fakeServer({
    ...responses,
    'GET /v2/users/me': async () => {
      await userLoaded
      return me
    },
  })
  await renderApp(screens, '/port-meridian/here')
  await vi.waitFor(() => expect(requests.map(({ path }) => path)).toContain('/v2/users/me/permissions'), {
    timeout: 8000,
  })
  const paths = requests.map(({ path }) => path)
  resolveUser()
  expect(await screen.findByText('Here')).toBeInTheDocument()
  return paths
}

it('loads organization, region and the data of the screen before the user is loaded', async () => {
  rememberUser(user)
  expect(await listPrefetchedPaths()).toEqual(
    expect.arrayContaining([`/v2/organizations/${me.organizationId}`, '/v2/regions/port-meridian']),
  )
  expect(prefetchScreen).toHaveBeenCalledExactlyOnceWith(expect.anything(), 'port-meridian')
})

it('prefetches nothing without a stored user', async () => {
  const paths = await listPrefetchedPaths()
  expect(paths.filter((path) => !path.startsWith('/v2/users/me'))).toEqual([])
  expect(prefetchScreen).not.toHaveBeenCalled()
})

it('shows the page even if a prefetch is refused', async () => {
  rememberUser({ ...user, organizationId: 'gone' })
  fakeServer({ ...responses, 'GET /v2/organizations/gone': () => new ErrorResponse(404, 'There is none.') })
  await renderApp(screens, '/port-meridian/here')
  expect(await screen.findByText('Here')).toBeInTheDocument()
})
