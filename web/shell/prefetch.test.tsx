import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeServer, Refusal } from '#web/data/fake-server.ts'
import type { ScreenEntry } from './screen-entry.ts'
import { rememberUser } from './browser-storage.ts'
import { renderApp } from './test-frame.tsx'
import { signedIn } from './test-replies.ts'

const replies = signedIn()
const me = replies['GET /v2/users/me']()
const user = {
  id: me.id,
  email: me.email,
  name: me.name,
  organizationId: me.organizationId,
  acceptedTermsOfService: true,
  providerData: [],
}
const askAhead = vi.fn<NonNullable<ScreenEntry['prefetch']>>(() => Promise.reject(new Error('away')))
const screens: ScreenEntry[] = [
  {
    path: '/$regionId/here',
    title: 'shell:pages.home',
    permission: 'signed_in',
    Screen: () => 'Here',
    prefetch: askAhead,
  },
]

beforeEach(() => {
  localStorage.clear()
  askAhead.mockClear()
})
afterEach(() => vi.unstubAllGlobals())

/** The paths that were asked for before anybody was known. */
async function askedAhead(): Promise<string[]> {
  let know = (): void => undefined
  const known = new Promise<void>((resolve) => (know = resolve))
  const { asked } = fakeServer({
    ...replies,
    'GET /v2/users/me': async () => {
      await known
      return me
    },
  })
  await renderApp(screens, '/port-meridian/here')
  await vi.waitFor(() => expect(asked.map(({ path }) => path)).toContain('/v2/users/me/permissions'), {
    timeout: 8000,
  })
  const ahead = asked.map(({ path }) => path)
  know()
  expect(await screen.findByText('Here')).toBeInTheDocument()
  return ahead
}

it('asks for organization, region and what the screen shows, while it is not known yet who asks', async () => {
  rememberUser(user)
  expect(await askedAhead()).toEqual(
    expect.arrayContaining([`/v2/organizations/${me.organizationId}`, '/v2/regions/port-meridian']),
  )
  expect(askAhead).toHaveBeenCalledExactlyOnceWith(expect.anything(), 'port-meridian')
})

it('asks for nothing ahead where nobody was signed in', async () => {
  const ahead = await askedAhead()
  expect(ahead.filter((path) => !path.startsWith('/v2/users/me'))).toEqual([])
  expect(askAhead).not.toHaveBeenCalled()
})

it('shows the page all the same when what was asked ahead is refused', async () => {
  rememberUser({ ...user, organizationId: 'gone' })
  fakeServer({ ...replies, 'GET /v2/organizations/gone': () => new Refusal(404, 'There is none.') })
  await renderApp(screens, '/port-meridian/here')
  expect(await screen.findByText('Here')).toBeInTheDocument()
})
