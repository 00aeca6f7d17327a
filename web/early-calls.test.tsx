import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { getMe, getMyPermissions } from '#contract/identity.ts'
import { getOrganization } from '#contract/organizations.ts'
import { call } from '#web/data/client.ts'
import * as clock from '#web/data/clock.ts'
import { createQueryClient } from '#web/data/query.ts'
import { fakeServer, Refusal } from '#web/data/fake-server.ts'
import { prefetchHome } from '#web/reporting/home-questions.ts'
import { rememberRegion, rememberUser } from '#web/shell/browser-storage.ts'
import { signedIn } from '#web/shell/test-replies.ts'
import { sendEarlyCalls } from './early-calls.ts'

const replies = signedIn()
const me = replies['GET /v2/users/me']()
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

/** What the frame and Home call, each as `GET /v2/…` with its query and body. */
const callsOf = (requests: ReturnType<typeof fakeServer>['requests']): string[] =>
  requests.map(({ method, path, query, body }) => `${method} ${path}?${query} ${JSON.stringify(body)}`)

it.each(['2026-05-11T12:00:00Z', '2026-03-01T03:00:00Z', '2026-03-08T12:00:00Z', '2026-01-01T12:00:00Z'])(
  'of Home at %s are those that the app makes, which sends none of them again',
  async (time) => {
    const now = Date.parse(time)
    vi.spyOn(clock, 'now').mockReturnValue(now)
    rememberUser(me)
    rememberRegion(region)
    const { requests } = fakeServer(replies)
    sendEarlyCalls({ pathname: home, search: '' }, now)
    const early = callsOf(requests)
    expect(early).toHaveLength(7)
    await Promise.all([
      call(getMe, {}),
      call(getMyPermissions, {}),
      call(getOrganization, { params: { organization_id: me.organizationId } }),
    ])
    await prefetchHome(createQueryClient(), 'port-meridian')
    const all = callsOf(requests)
    expect(early).toContainEqual(expect.stringContaining('POST /v2/regions/port-meridian/metrics/query'))
    expect(all.filter((each) => early.includes(each))).toEqual(early)
    // Layers, operators, feeds, incidents and the fees of two other months.
    expect(all).toHaveLength(early.length + 6)
  },
)

it('of an ended session are dropped, so that the next one gets responses of its own', async () => {
  rememberUser(me)
  const { requests } = fakeServer({
    'GET /v2/users/me': () => new Refusal(401, 'Sign in', 'unauthorized'),
    'GET /v2/users/me/permissions': () => new Refusal(401, 'Sign in', 'unauthorized'),
  })
  sendEarlyCalls({ pathname: '/port-meridian/curb/regulations/map', search: '' }, 0)
  await expect(call(getMe, {})).rejects.toMatchObject({ status: 401 })
  fakeServer(replies)
  expect(await call(getMyPermissions, {})).toEqual(replies['GET /v2/users/me/permissions']())
  expect(requests).toHaveLength(4)
})

it('of another page are those of the frame, and dropped when no call takes them', async () => {
  rememberUser(me)
  const { requests } = fakeServer(replies)
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

it('of Home wait for the region where its time zone is not known', () => {
  rememberUser(me)
  rememberRegion({ ...region, regionId: 'elsewhere' })
  const { requests } = fakeServer(replies)
  sendEarlyCalls({ pathname: home, search: '' }, 0)
  expect(requests).toHaveLength(4)
})

it('are not sent for a visitor, nor for a public page', () => {
  const { requests } = fakeServer(replies)
  sendEarlyCalls({ pathname: home, search: '' }, 0)
  rememberUser(me)
  for (const pathname of ['/', '/login', '/port-meridian/public/policies'])
    sendEarlyCalls({ pathname, search: '' }, 0)
  expect(requests).toEqual([])
})
