import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { getMe, getMyPermissions } from '#contract/identity.ts'
import { getOrganization } from '#contract/organizations.ts'
import { call } from '#web/data/client.ts'
import * as clock from '#web/data/clock.ts'
import { createQueryClient } from '#web/data/query.ts'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import { prefetchHome } from '#web/reporting/home-questions.ts'
import { rememberRegion, rememberUser } from '#web/shell/browser-storage.ts'
import { signedIn } from '#web/shell/test-responses.ts'
import { sendEarlyCalls } from './early-calls.ts'

const responses = signedIn()
const me = responses['GET /v2/users/me']()
const region = { regionId: 'port-meridian', timezone: 'America/New_York' }
const home = '/port-meridian/mobility/activity-summary'

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  history.replaceState(null, '', home)
})
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** The requests as text: `GET /v2/…` with query and body. */
const toCalls = (requests: ReturnType<typeof fakeServer>['requests']): string[] =>
  requests.map(({ method, path, query, body }) => `${method} ${path}?${query} ${JSON.stringify(body)}`)

it.each(['2026-05-11T12:00:00Z', '2026-03-01T03:00:00Z', '2026-03-08T12:00:00Z', '2026-01-01T12:00:00Z'])(
  'early calls of Home at %s are requests of the app, which sends none of them twice',
  async (time) => {
    const now = Date.parse(time)
    vi.spyOn(clock, 'now').mockReturnValue(now)
    rememberUser(me)
    rememberRegion(region)
    const { requests } = fakeServer(responses)
    sendEarlyCalls({ pathname: home, search: '' }, now)
    const earlyCalls = toCalls(requests)
    expect(earlyCalls).toHaveLength(7)
    await Promise.all([
      call(getMe, {}),
      call(getMyPermissions, {}),
      call(getOrganization, { params: { organization_id: me.organizationId } }),
    ])
    await prefetchHome(createQueryClient(), 'port-meridian')
    const allCalls = toCalls(requests)
    expect(earlyCalls).toContainEqual(expect.stringContaining('POST /v2/regions/port-meridian/metrics/query'))
    expect(allCalls.filter((path) => earlyCalls.includes(path))).toEqual(earlyCalls)
    // Layers, operators, feeds, incidents and the fees of two other months.
    expect(allCalls).toHaveLength(earlyCalls.length + 6)
  },
)

it('early calls of an expired session are dropped, so that the next session gets its own responses', async () => {
  rememberUser(me)
  const { requests } = fakeServer({
    'GET /v2/users/me': () => new ErrorResponse(401, 'Sign in', 'unauthorized'),
    'GET /v2/users/me/permissions': () => new ErrorResponse(401, 'Sign in', 'unauthorized'),
  })
  sendEarlyCalls({ pathname: '/port-meridian/curb/regulations/map', search: '' }, 0)
  await expect(call(getMe, {})).rejects.toMatchObject({ status: 401 })
  fakeServer(responses)
  expect(await call(getMyPermissions, {})).toEqual(responses['GET /v2/users/me/permissions']())
  expect(requests).toHaveLength(4)
})

it('early calls of another page are those of the frame, and are dropped if unused', async () => {
  rememberUser(me)
  const { requests } = fakeServer(responses)
  sendEarlyCalls({ pathname: '/port-meridian/curb/regulations/map', search: '' }, 0)
  expect(requests.map(({ path }) => path)).toEqual([
    '/v2/users/me',
    '/v2/users/me/permissions',
    `/v2/organizations/${me.organizationId}`,
    '/v2/regions/port-meridian',
  ])
  vi.runAllTimers()
  await call(getMe, {})
  expect(requests).toHaveLength(5)
})

it('early calls of Home are not sent if the region’s time zone is unknown', () => {
  rememberUser(me)
  rememberRegion({ ...region, regionId: 'elsewhere' })
  const { requests } = fakeServer(responses)
  sendEarlyCalls({ pathname: home, search: '' }, 0)
  expect(requests).toHaveLength(4)
})

it('early calls are not sent for visitors or public pages', () => {
  const { requests } = fakeServer(responses)
  sendEarlyCalls({ pathname: home, search: '' }, 0)
  rememberUser(me)
  for (const pathname of ['/', '/login', '/port-meridian/public/policies'])
    sendEarlyCalls({ pathname, search: '' }, 0)
  expect(requests).toEqual([])
})
