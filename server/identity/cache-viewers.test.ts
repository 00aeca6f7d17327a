import { expect, test, vi } from 'vitest'
import type { Viewer } from '#server/http/viewer.ts'
import { TableChanges } from '#server/stores/changes.ts'
import type { State } from '#server/stores/state.ts'
import { cacheViewers } from './cache-viewers.ts'

const viewer = { userId: 'u' } as Viewer
const cookie = (text: string): Headers => new Headers({ cookie: text })

function createViewers(find: () => Promise<Viewer | null>) {
  const [changes, time] = [new TableChanges(), { now: 0 }]
  return { changes, time, getViewer: cacheViewers({ changes } as State, find, () => new Date(time.now)) }
}

test('A cache of viewers finds a viewer once per credentials', async () => {
  const find = vi.fn(() => Promise.resolve(viewer))
  const { getViewer } = createViewers(find)
  for (const headers of [
    cookie('a'),
    cookie('a'),
    cookie('b'),
    new Headers({ authorization: 'a' }),
    new Headers({ cookie: 'a', 'impersonated-user': 'x' }),
  ])
    expect(await getViewer(headers)).toBe(viewer)
  expect(find).toHaveBeenCalledTimes(4)
})

test.each([
  'session',
  'user',
  'organization',
  'user_role',
  'role',
  'user_region',
  'region',
  'account',
  'twoFactor',
])('A change of %s takes effect with the next request', async (table) => {
  const find = vi.fn<() => Promise<Viewer | null>>().mockResolvedValueOnce(viewer).mockResolvedValueOnce(null)
  const { changes, getViewer } = createViewers(find)
  await getViewer(cookie('a'))
  changes.record(table)
  expect(await getViewer(cookie('a'))).toBeNull()
})

test('A cache of viewers expires after five seconds, and skips requests without credentials', async () => {
  const find = vi.fn(() => Promise.resolve(viewer))
  const { time, getViewer } = createViewers(find)
  expect(await getViewer(new Headers())).toBeNull()
  expect(find).not.toHaveBeenCalled()
  await getViewer(cookie('a'))
  time.now = 4999
  await getViewer(cookie('a'))
  expect(find).toHaveBeenCalledTimes(1)
  time.now = 5000
  await getViewer(cookie('a'))
  expect(find).toHaveBeenCalledTimes(2)
})
