import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { getMe, getMyPermissions } from '#contract/identity.ts'
import type { PermissionKey } from '#contract/permission.ts'
import { listRegions } from '#contract/regions.ts'
import {
  changePermissionsOn,
  changeUser,
  changeUserRoles,
  createRole,
  getPermissionsOn,
  getUserRoles,
  inviteUser,
  listAudit,
  listUsers,
  removeSecondFactors,
  renewInvitation,
  startImpersonation,
} from '#contract/users.ts'
import { call, openTestApp, readProblem, request, send, type SignedIn, signIn, type TestApp } from '../app.ts'
import { makeRegions, password, type TestCity, addUser } from '../city.ts'

type People = 'deputy' | 'helper' | 'editor' | 'neighbor' | 'roamer' | 'boss'

/** The deputy administers Alder, without `edit_policy`. Only the helper has no right beyond the deputy's. */
let app: TestApp
let city: TestCity
let deputy: SignedIn
const ids = {} as Record<People, string>
const roles = {} as Record<'geography' | 'policy', string>

beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  const person = async (
    name: People,
    regionIds: string[] | null,
    permissions: PermissionKey[],
  ): Promise<void> => {
    const email = `${name}@alder.example`
    ids[name] = await addUser(app, city, email, permissions)
    if (regionIds)
      await call(app, city.admin, changeUser, {
        params: { user_id: ids[name] },
        body: { region_ids: regionIds },
      })
  }
  await person('deputy', ['alder'], ['is_admin', 'edit_geography'])
  await person('helper', ['alder'], ['edit_geography'])
  await person('editor', ['alder'], ['edit_policy'])
  await person('neighbor', ['birch'], [])
  await person('roamer', ['alder', 'birch'], [])
  await person('boss', null, ['is_admin', 'edit_geography'])
  deputy = await signIn(app, 'deputy@alder.example', password)
  for (const [name, keys] of [
    ['geography', ['edit_geography']],
    ['policy', ['edit_policy']],
  ] as const)
    roles[name] = (await call(app, city.admin, createRole, { body: { name, keys: [...keys] } })).id
})
afterAll(() => app.close())

const readRights = async (name: People) => {
  const { items } = await call(app, city.admin, listUsers, { query: { search: `${name}@` } })
  return [items[0]?.keys, items[0]?.regionIds, items[0]?.roles.map((role) => role.name)]
}
const getStatus = async (response: ReturnType<typeof send>): Promise<number> => (await response).statusCode
const impersonate = (userId: string, administrator = deputy) => ({
  authorization: `Bearer ${administrator.token}`,
  'impersonated-user': userId,
})

describe('the administrator of a region', () => {
  /** Path parameters that exist, but in a region or of a user that the deputy does not administer. */
  const outside: Record<string, string> = { region_id: 'birch', obj_type: 'user' }
  const fillPath = (path: string): string =>
    `/v2${path.replace(/\{(\w+)\}/g, (_, name: string) => outside[name] ?? (name === 'user_id' || name === 'obj_id' ? ids.neighbor : name === 'organization_id' ? city.organizations.alder : name === 'slug' ? 'lark' : randomUUID()))}`
  /** Lists return only what the deputy administers; the other endpoints have a target in their body. */
  const lists = [
    'listUsers',
    'listRoles',
    'listAudit',
    'listSignInProviders',
    'listManagedOperators',
    'listApiKeys',
  ]
  const span = { from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' }
  const byBody: Record<string, object> = {
    createFeed: {
      kind: 'gbfs',
      version: '2.3',
      name: 'Feed',
      operator: 'lark',
      url: 'https://feed.example/gbfs.json',
    },
    backFillFeed: span,
    rereadFeed: span,
    saveRequirements: { programs: [{}], if_file_version: 1 },
    inviteUser: { email: 'late@alder.example', name: 'Late', region_ids: ['birch'] },
    changeUser: { region_ids: ['alder'] },
    changeUserRoles: { role_ids: [] },
    changePermissionsOn: { permissions: [{ key: 'edit_geography', enabled: true }] },
    createApiKey: { name: 'Late', scopes: ['policies:read'], region_ids: ['birch'] },
    startImpersonation: { user_id: '', user_email: 'neighbor@alder.example' },
  }

  const cases = [...endpoints].filter(
    ([name, { permission }]) => permission === 'is_admin' && !lists.includes(name),
  )
  it.each(cases)('cannot use %s outside of its regions', async (name, endpoint) => {
    const body = { ...byBody[name], ...(name === 'startImpersonation' ? { user_id: ids.neighbor } : {}) }
    const media = endpoint.request.body && 'media' in endpoint.request.body
    const sent =
      endpoint.method === 'GET' || endpoint.method === 'DELETE'
        ? {}
        : { body: media ? Buffer.from('a,b\n') : body }
    const query = name === 'uploadTrips' ? '?file_name=rides.csv' : ''
    const response = await request(app, {
      method: endpoint.method,
      url: fillPath(endpoint.path) + query,
      headers: { authorization: `Bearer ${deputy.token}` },
      ...sent,
    })
    // A 422 for a malformed body proves nothing, so only one about a region counts.
    const isRefused = response.statusCode !== 422 || response.body.includes("grant access to region 'birch'")
    expect([
      name,
      isRefused && (endpoint.wholeOrganization ? [403] : [403, 404, 422]).includes(response.statusCode),
    ]).toEqual([name, true])
  })
})

test('lists contain only users of the administrator’s regions, and their actions', async () => {
  const emails = (await call(app, deputy, listUsers, {})).items.map(({ email }) => email)
  expect(emails).toEqual(['deputy@alder.example', 'editor@alder.example', 'helper@alder.example'])
  const viewers = await call(app, deputy, getPermissionsOn, {
    params: { obj_type: 'region', obj_id: 'alder' },
  })
  expect(viewers.permissions.map(({ user_email }) => user_email)).toEqual(emails)
  const acts = await call(app, deputy, listAudit, { query: { size: 300 } })
  expect(acts.items.filter(({ user_email }) => !emails.includes(user_email ?? ''))).toEqual([])
})

test('an administrator of a region manages the users of this region', async () => {
  const helper = { params: { user_id: ids.helper } }
  expect(await call(app, deputy, changeUser, { ...helper, body: { name: 'Helper Two' } })).toMatchObject({
    name: 'Helper Two',
    regionIds: ['alder'],
  })
  await call(app, deputy, changeUserRoles, { ...helper, body: { role_ids: [roles.geography] } })
  await call(app, deputy, changePermissionsOn, {
    params: { obj_type: 'user', obj_id: ids.helper },
    body: { permissions: [{ key: 'is_admin', enabled: true }] },
  })
  expect(await readRights('helper')).toEqual([['is_admin', 'edit_geography'], ['alder'], ['geography']])
  await call(app, deputy, removeSecondFactors, helper)
  const { user } = await call(app, deputy, inviteUser, {
    body: { email: 'new@alder.example', name: 'New', region_ids: ['alder'], role_ids: [roles.geography] },
  })
  expect(user.regionIds).toEqual(['alder'])
  await call(app, deputy, renewInvitation, { params: { user_id: user.id } })
  await call(app, deputy, startImpersonation, {
    body: { user_id: ids.helper, user_email: 'helper@alder.example' },
  })
  const me = await request(app, { method: 'GET', url: '/v2/users/me', headers: impersonate(ids.helper) })
  expect(me.json()).toMatchObject({ email: 'helper@alder.example', regionIds: ['alder'] })
})

test('administrators cannot grant keys that they do not have', async () => {
  const helper = { user_id: ids.helper }
  for (const region_ids of [null, ['birch'], ['alder', 'birch']])
    expect([403, 422]).toContain(
      await getStatus(send(app, deputy, changeUser, { params: helper, body: { region_ids } })),
    )
  expect(
    await getStatus(
      send(app, deputy, changeUserRoles, { params: helper, body: { role_ids: [roles.policy] } }),
    ),
  ).toBe(403)
  const keys = { permissions: [{ key: 'edit_policy', enabled: true }] }
  expect(
    await getStatus(
      send(app, deputy, changePermissionsOn, {
        params: { obj_type: 'user', obj_id: ids.helper },
        body: keys,
      }),
    ),
  ).toBe(403)
  expect(
    await getStatus(
      send(app, deputy, changePermissionsOn, {
        params: { obj_type: 'role', obj_id: roles.geography },
        body: keys,
      }),
    ),
  ).toBe(403)
  for (const input of [{}, { region_ids: null }, { region_ids: ['alder'], role_ids: [roles.policy] }])
    expect(
      await getStatus(
        send(app, deputy, inviteUser, { body: { email: 'more@alder.example', name: 'More', ...input } }),
      ),
    ).toBe(403)
  const view = { permissions: [{ key: 'view', enabled: true, user_id: ids.neighbor }] }
  expect(
    await getStatus(
      send(app, deputy, changePermissionsOn, { params: { obj_type: 'region', obj_id: 'alder' }, body: view }),
    ),
  ).toBe(404)
  expect(await readRights('helper')).toEqual([['is_admin', 'edit_geography'], ['alder'], ['geography']])
  expect((await call(app, city.admin, listUsers, { query: { search: 'more@' } })).total).toBe(0)
})

test.each<[People, number]>([
  ['editor', 403],
  ['neighbor', 404],
  ['roamer', 404],
  ['boss', 404],
])('%s has a right that the deputy lacks, and is out of reach', async (name, expected) => {
  const params = { user_id: ids[name] }
  const before = await readRights(name)
  expect(await getStatus(send(app, deputy, changeUser, { params, body: { disabled: true } }))).toBe(expected)
  expect(await getStatus(send(app, deputy, changeUserRoles, { params, body: { role_ids: [] } }))).toBe(
    expected,
  )
  expect(await getStatus(send(app, deputy, removeSecondFactors, { params }))).toBe(expected)
  expect([expected, 409]).toContain(await getStatus(send(app, deputy, renewInvitation, { params })))
  expect(await getStatus(send(app, deputy, getUserRoles, { params }))).toBe(expected === 404 ? 404 : 200)
  expect(
    await getStatus(
      send(app, deputy, startImpersonation, {
        body: { user_id: ids[name], user_email: `${name}@alder.example` },
      }),
    ),
  ).toBe(expected)
  expect(
    (await request(app, { method: 'GET', url: '/v2/users/me', headers: impersonate(ids[name]) })).statusCode,
  ).toBe(403)
  expect(await readRights(name)).toEqual(before)
})

test('users cannot extend their own permissions, even while impersonating', async () => {
  const self = { params: { user_id: ids.deputy } }
  for (const region_ids of [null, ['alder', 'birch']])
    expect([403, 422]).toContain(
      await getStatus(send(app, deputy, changeUser, { ...self, body: { region_ids } })),
    )
  expect((await call(app, deputy, listRegions, {})).items.map(({ regionId }) => regionId)).toEqual(['alder'])
  const boss = await signIn(app, 'boss@alder.example', password)
  const policy = { permissions: [{ key: 'edit_policy', enabled: true }] }
  const own = { obj_type: 'user' as const, obj_id: ids.boss }
  const refused = readProblem(await send(app, boss, changePermissionsOn, { params: own, body: policy }))
  expect(refused.detail).toBe('Nobody can extend their own rights. Ask another administrator.')
  expect(
    await getStatus(
      send(app, boss, changeUserRoles, { params: { user_id: ids.boss }, body: { role_ids: [roles.policy] } }),
    ),
  ).toBe(403)
  await call(app, boss, changeUserRoles, {
    params: { user_id: ids.boss },
    body: { role_ids: [roles.geography] },
  })
  expect(
    await getStatus(
      send(app, boss, changePermissionsOn, {
        params: { obj_type: 'role', obj_id: roles.geography },
        body: policy,
      }),
    ),
  ).toBe(403)
  const admin = (await call(app, city.admin, getMe)).id
  const asAdmin = await request(app, {
    method: 'PATCH',
    url: `/v2/permissions/user/${ids.boss}`,
    headers: impersonate(admin, boss),
    body: policy,
  })
  expect(asAdmin.statusCode).toBe(403)
  const held = (
    await request(app, { method: 'GET', url: '/v2/users/me/permissions', headers: impersonate(admin, boss) })
  ).json() as { key: string; enabled: boolean }[]
  expect(held.filter(({ enabled }) => enabled).map(({ key }) => key)).toEqual(['is_admin', 'edit_geography'])
  // Users with more rights are managed by an administrator of all regions.
  await call(app, boss, changePermissionsOn, {
    params: { obj_type: 'user', obj_id: ids.helper },
    body: policy,
  })
  expect(
    (await call(app, boss, getMyPermissions)).filter(({ enabled }) => enabled).map(({ key }) => key),
  ).toEqual(['is_admin', 'edit_geography'])
})

test('at least one administrator of all regions remains', async () => {
  const limit = (user_id: string) =>
    send(app, city.admin, changeUser, { params: { user_id }, body: { region_ids: ['alder'] } })
  expect(await getStatus(limit(ids.boss))).toBe(200)
  const last = readProblem(await limit((await call(app, city.admin, getMe)).id))
  expect([last.status, last.detail]).toEqual([
    409,
    'This would leave your organization without an administrator of all regions.',
  ])
})
