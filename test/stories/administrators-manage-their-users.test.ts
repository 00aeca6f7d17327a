import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeMe, getMe, getMyPermissions, listFeatureFlags } from '#contract/identity.ts'
import { changeOrganization, getOrganization } from '#contract/organizations.ts'
import { changeRegion, getRegion, listRegions } from '#contract/regions.ts'
import { localDay } from '#contract/period.ts'
import { OrganizationSettings } from '#contract/settings.ts'
import {
  changePermissionsOn,
  changeUser,
  changeUserRoles,
  createRole,
  deleteRole,
  getOnboardingLink,
  getPermissionsOn,
  getUserRoles,
  inviteUser,
  listAudit,
  listRoles,
  listUsers,
  type ManagedUser,
  removeSecondFactors,
  renewInvitation,
  startImpersonation,
} from '#contract/users.ts'
import { systemScope } from '#server/identity/scope.ts'
import { call, openTestApp, readProblem, request, send, type SignedIn, signIn, type TestApp } from '../app.ts'
import { makeRegions, password } from '../city.ts'

let app: TestApp
let city: Awaited<ReturnType<typeof makeRegions>>
beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
})
afterAll(() => app.close())

const findUser = async (email: string): Promise<ManagedUser> => {
  const { items } = await call(app, city.admin, listUsers, { query: { search: email } })
  const found = items.find((item) => item.email === email)
  if (!found) throw new Error(`no ${email}`)
  return found
}
const listKeys = async (as: SignedIn): Promise<string[]> =>
  (await call(app, as, getMyPermissions)).filter(({ enabled }) => enabled).map(({ key }) => key)
const listRegionIds = async (as: SignedIn): Promise<string[]> =>
  (await call(app, as, listRegions, {})).items.map(({ regionId }) => regionId)
const makeHeaders = (user: SignedIn, headers: Record<string, string> = {}) => ({
  authorization: `Bearer ${user.token}`,
  ...headers,
})

describe('users', () => {
  it('are listed by page and searched as plain text, within their organization', async () => {
    const { items, total } = await call(app, city.admin, listUsers, {})
    expect([total, items.map(({ email }) => email)]).toEqual([
      3,
      ['admin@alder.example', 'planner@alder.example', 'viewer@alder.example'],
    ])
    expect(
      (await call(app, city.admin, listUsers, { query: { page: 2, size: 2 } })).items.map(
        ({ email }) => email,
      ),
    ).toEqual(['viewer@alder.example'])
    expect((await call(app, city.admin, listUsers, { query: { search: '%' } })).total).toBe(0)
    // Sorted before paging. Users who never signed in are last in both directions, and ties are ordered by email.
    const listSorted = async (order_by: 'email' | '-email' | '-name' | 'state' | '-last_sign_in') =>
      (
        await Promise.all(
          [1, 2].map((page) => call(app, city.admin, listUsers, { query: { page, size: 2, order_by } })),
        )
      ).flatMap(({ items: page }) => page.map(({ name }) => name))
    expect([await listSorted('-email'), await listSorted('-name'), await listSorted('state')]).toEqual([
      ['viewer', 'planner', 'admin'],
      ['viewer', 'planner', 'admin'],
      ['admin', 'planner', 'viewer'],
    ])
    expect((await listSorted('-last_sign_in')).toSorted()).toEqual(['admin', 'planner', 'viewer'])
    expect((await call(app, city.admin, listUsers, { query: { search: 'PLAN' } })).items[0]).toMatchObject({
      keys: ['edit_geography'],
      roles: [],
      regionIds: null,
      disabled: false,
      invited: false,
      secondFactors: 0,
    })
  })

  it('are invited by email, and choose a password once by the link', async () => {
    const { user, onboarding_link, is_mailed } = await call(app, city.admin, inviteUser, {
      body: { email: 'New.One@alder.example', name: 'New One', region_ids: ['birch'] },
    })
    expect(user).toMatchObject({
      email: 'new.one@alder.example',
      invited: true,
      regionIds: ['birch'],
      lastSignInTime: null,
    })
    // Without SMTP_URL mail is written to the log.
    expect(is_mailed).toBe(false)
    expect(app.mails.at(-1)).toMatchObject({
      to: 'new.one@alder.example',
      text: expect.stringContaining(onboarding_link),
    })
    const uuid = onboarding_link.split('/').at(-1) ?? ''
    const { link, email } = await call(app, null, getOnboardingLink, { params: { onboarding_uuid: uuid } })
    expect(email).toBe('new.one@alder.example')
    const token = new URL(link).searchParams.get('token')
    const choose = (newPassword: string) =>
      request(app, {
        method: 'POST',
        url: '/api/auth/reset-password',
        body: { token, newPassword },
        from: '10.4.0.1',
      })
    expect((await choose('the new one has a password')).statusCode).toBe(200)
    expect((await choose('a second time for nothing')).statusCode).toBe(400)
    const newcomer = await signIn(app, 'new.one@alder.example', 'the new one has a password')
    expect(await listRegionIds(newcomer)).toEqual(['birch'])
    expect(await listKeys(newcomer)).toEqual([])
    expect((await call(app, newcomer, getMe)).acceptedTermsOfService).toBe(false)
    expect(await findUser('new.one@alder.example')).toMatchObject({ invited: false })
    expect(
      readProblem(await send(app, null, getOnboardingLink, { params: { onboarding_uuid: uuid } })).status,
    ).toBe(404)
    expect(
      readProblem(await send(app, city.admin, renewInvitation, { params: { user_id: user.id } })).status,
    ).toBe(409)
  })

  it('get no link for a renewed, expired or unknown invitation', async () => {
    const { user, onboarding_link } = await call(app, city.admin, inviteUser, {
      body: { email: 'late@alder.example', name: 'Late' },
    })
    const again = (await call(app, city.admin, renewInvitation, { params: { user_id: user.id } }))
      .onboarding_link
    const ask1 = (link: string) =>
      send(app, null, getOnboardingLink, { params: { onboarding_uuid: link.split('/').at(-1) ?? '' } })
    expect(readProblem(await ask1(onboarding_link)).status).toBe(404)
    expect((await ask1(again)).statusCode).toBe(200)
    await app.state
      .as(systemScope)
      .updateTable('invitation')
      .set({ expires_time: new Date(0) })
      .where('user_id', '=', user.id)
      .execute()
    expect(readProblem(await ask1(again)).status).toBe(404)
    expect(readProblem(await ask1(`x/${randomUUID()}`)).status).toBe(404)
  })

  it('are not invited with a used email, or with regions or roles of others', async () => {
    const invite = (body: object) =>
      send(app, city.admin, inviteUser, { body: { name: 'X', email: 'x@alder.example', ...body } as never })
    expect(readProblem(await invite({ email: 'stranger@CEDAR.example' })).status).toBe(409)
    expect(readProblem(await invite({ region_ids: ['cedar'] })).status).toBe(422)
    expect(readProblem(await invite({ email: 'no mail' })).status).toBe(422)
    expect((await call(app, city.admin, listUsers, { query: { search: 'x@alder' } })).total).toBe(0)
  })

  it('are signed out at once when disabled; users cannot disable themselves or the last administrator', async () => {
    const gone = await signIn(app, 'viewer@alder.example', password)
    const { id } = await findUser('viewer@alder.example')
    expect(
      await call(app, city.admin, changeUser, { params: { user_id: id }, body: { disabled: true } }),
    ).toMatchObject({ disabled: true })
    for (const prefix of ['/v2', '/apipy'] as const)
      expect(readProblem(await send(app, gone, getMe, {}, prefix))).toMatchObject({
        status: 403,
        detail: 'Invalid user',
      })
    await call(app, city.admin, changeUser, {
      params: { user_id: id },
      body: { disabled: false, name: 'Vi' },
    })
    // Earlier sessions remain ended.
    expect((await send(app, gone, getMe)).statusCode).toBe(401)
    city.viewer = await signIn(app, 'viewer@alder.example', password)
    const self = await findUser('admin@alder.example')
    expect(
      readProblem(
        await send(app, city.admin, changeUser, { params: { user_id: self.id }, body: { disabled: true } }),
      ).detail,
    ).toBe('You cannot disable yourself.')
    const without = await send(app, city.admin, changePermissionsOn, {
      params: { obj_type: 'user', obj_id: self.id },
      body: { permissions: [{ key: 'is_admin', enabled: false }] },
    })
    expect(readProblem(without).detail).toBe('This would leave your organization without an administrator.')
    expect(await listKeys(city.admin)).toContain('is_admin')
  })

  it('lose their second factors when an administrator resets them', async () => {
    const { id } = await findUser('planner@alder.example')
    const store = app.state.as(systemScope)
    await store
      .insertInto('enrolled_factor')
      .values({ user_id: id, kind: 'totp', phone_number: null })
      .execute()
    await store.updateTable('user').set({ twoFactorEnabled: true }).where('id', '=', id).execute()
    expect(await findUser('planner@alder.example')).toMatchObject({ secondFactors: 1 })
    expect(await call(app, city.admin, removeSecondFactors, { params: { user_id: id } })).toMatchObject({
      secondFactors: 0,
    })
    city.planner = await signIn(app, 'planner@alder.example', password)
    expect((await call(app, city.planner, getMe)).enrolledFactors).toEqual([])
  })
})

describe('roles', () => {
  it('grant their keys in addition to the user’s own', async () => {
    const role = await call(app, city.admin, createRole, {
      body: { name: 'Policy desk', keys: ['edit_policy', 'publish_to_public_map'] },
    })
    expect(role.permissions).toEqual([
      { key: 'is_admin', enabled: false },
      { key: 'edit_geography', enabled: false },
      { key: 'edit_policy', enabled: true },
      { key: 'publish_to_public_map', enabled: true },
      { key: 'edit_curb_regulations', enabled: false },
      { key: 'draft_invoices', enabled: false },
      { key: 'approve_invoices', enabled: false },
      { key: 'issue_invoices', enabled: false },
      { key: 'record_payments', enabled: false },
      { key: 'approve_curb_prices', enabled: false },
    ])
    expect(
      readProblem(await send(app, city.admin, createRole, { body: { name: 'Policy desk' } })).status,
    ).toBe(409)
    const { id } = await findUser('planner@alder.example')
    expect(
      (
        await call(app, city.admin, changeUserRoles, {
          params: { user_id: id },
          body: { role_ids: [role.id, role.id] },
        })
      ).roles.map(({ name }) => name),
    ).toEqual(['Policy desk'])
    expect(await listKeys(city.planner)).toEqual(['edit_geography', 'edit_policy', 'publish_to_public_map'])
    await call(app, city.admin, changePermissionsOn, {
      params: { obj_type: 'role', obj_id: role.id },
      body: {
        permissions: [
          { key: 'edit_curb_regulations', enabled: true },
          { key: 'edit_policy', enabled: false },
        ],
      },
    })
    expect(await listKeys(city.planner)).toEqual([
      'edit_geography',
      'publish_to_public_map',
      'edit_curb_regulations',
    ])
    expect((await call(app, city.admin, getUserRoles, { params: { user_id: id } })).roles[0]?.id).toBe(
      role.id,
    )
    expect(
      (
        await request(app, { method: 'GET', url: '/v2/user_roles/', headers: makeHeaders(city.admin) })
      ).json(),
    ).toHaveLength(1)
    await call(app, city.admin, deleteRole, { params: { role_id: role.id } })
    expect(await listKeys(city.planner)).toEqual(['edit_geography'])
    expect(await call(app, city.admin, listRoles)).toEqual([])
    expect(
      readProblem(
        await send(app, city.admin, changeUserRoles, {
          params: { user_id: id },
          body: { role_ids: [role.id] },
        }),
      ).status,
    ).toBe(422)
  })

  it('a role change never removes the last administrator', async () => {
    const role = await call(app, city.stranger, createRole, { body: { name: 'Boss', keys: ['is_admin'] } })
    const self = await call(app, city.stranger, getMe)
    await call(app, city.stranger, changeUserRoles, {
      params: { user_id: self.id },
      body: { role_ids: [role.id] },
    })
    await call(app, city.stranger, changePermissionsOn, {
      params: { obj_type: 'user', obj_id: self.id },
      body: { permissions: [{ key: 'is_admin', enabled: false }] },
    })
    expect(
      readProblem(await send(app, city.stranger, deleteRole, { params: { role_id: role.id } })).status,
    ).toBe(409)
    expect(
      readProblem(
        await send(app, city.stranger, changeUserRoles, {
          params: { user_id: self.id },
          body: { role_ids: [] },
        }),
      ).status,
    ).toBe(409)
    expect(await listKeys(city.stranger)).toContain('is_admin')
  })

  it('roles of another organization are not accessible', async () => {
    const theirs = (await call(app, city.stranger, listRoles))[0]?.id ?? ''
    const { id } = await findUser('planner@alder.example')
    expect(
      readProblem(
        await send(app, city.admin, changeUserRoles, {
          params: { user_id: id },
          body: { role_ids: [theirs] },
        }),
      ).status,
    ).toBe(422)
    expect(readProblem(await send(app, city.admin, deleteRole, { params: { role_id: theirs } })).status).toBe(
      404,
    )
    for (const obj_type of ['role', 'user', 'region'] as const)
      expect(
        readProblem(
          await send(app, city.admin, getPermissionsOn, {
            params: {
              obj_type,
              obj_id: { role: theirs, user: (await call(app, city.stranger, getMe)).id, region: 'cedar' }[
                obj_type
              ],
            },
          }),
        ).status,
      ).toBe(404)
  })
})

describe('regions', () => {
  it('are visible only to users with access', async () => {
    const { id } = await findUser('viewer@alder.example')
    const viewers = await call(app, city.admin, getPermissionsOn, {
      params: { obj_type: 'region', obj_id: 'alder' },
    })
    expect(viewers.permissions).toContainEqual({
      key: 'view',
      enabled: true,
      user_id: id,
      user_email: 'viewer@alder.example',
    })
    await call(app, city.admin, changePermissionsOn, {
      params: { obj_type: 'region', obj_id: 'alder' },
      body: { permissions: [{ key: 'view', enabled: false, user_id: id }] },
    })
    expect(await listRegionIds(city.viewer)).toEqual(['birch'])
    expect(
      readProblem(await send(app, city.viewer, getRegion, { params: { region_id: 'alder' } })).status,
    ).toBe(404)
    expect(
      await call(app, city.admin, changeUser, { params: { user_id: id }, body: { region_ids: [] } }),
    ).toMatchObject({ regionIds: [] })
    expect(await listRegionIds(city.viewer)).toEqual([])
    await call(app, city.admin, changePermissionsOn, {
      params: { obj_type: 'region', obj_id: 'alder' },
      body: { permissions: [{ key: 'view', enabled: true, user_id: id }] },
    })
    expect(await listRegionIds(city.viewer)).toEqual(['alder'])
    expect(
      readProblem(
        await send(app, city.admin, changeUser, { params: { user_id: id }, body: { region_ids: ['cedar'] } }),
      ).status,
    ).toBe(422)
    await call(app, city.admin, changeUser, { params: { user_id: id }, body: { region_ids: null } })
    expect(await listRegionIds(city.viewer)).toEqual(['alder', 'birch'])
  })
})

describe('feature flags of the organization', () => {
  const ownOrganization = () => ({ organization_id: city.organizations.alder })

  it('are all on by default, and unknown flags are rejected by name', async () => {
    expect((await call(app, city.viewer, getOrganization, { params: ownOrganization() })).settings).toEqual(
      OrganizationSettings.parse({}),
    )
    const changed = await call(app, city.admin, changeOrganization, {
      params: ownOrganization(),
      body: { settings: { curbManager: false, maps: ['trips'] } },
    })
    expect(changed.settings).toMatchObject({
      curbManager: false,
      maps: ['trips'],
      mobilityManager: true,
      mfaRequired: false,
    })
    expect(
      (
        await call(app, city.admin, changeOrganization, {
          params: ownOrganization(),
          body: { name: 'Alder City' },
        })
      ).settings,
    ).toEqual(changed.settings)
    expect((await call(app, city.viewer, listFeatureFlags)).filter(({ enabled }) => !enabled)).toEqual([
      { key: 'curbManager', enabled: false },
    ])
    const refused = readProblem(
      await send(app, city.admin, changeOrganization, {
        params: ownOrganization(),
        body: { settings: { flyingCars: true } },
      }),
    )
    expect([refused.status, refused.detail.includes('flyingCars')]).toEqual([422, true])
    for (const settings of [
      { maps: ['moon'] },
      { home: 'yes' },
      { subscriptionStartDate: '2026-02-30' },
      { subscriptionStartDate: '2026-05-01', subscriptionEndDate: '2026-04-01' },
    ])
      expect(
        readProblem(
          await send(app, city.admin, changeOrganization, { params: ownOrganization(), body: { settings } }),
        ).status,
      ).toBe(422)
    expect(
      readProblem(
        await send(app, city.stranger, changeOrganization, {
          params: ownOrganization(),
          body: { name: 'Mine' },
        }),
      ).status,
    ).toBe(404)
  })

  it('block all calls except enrollment when a second factor is required', async () => {
    const org = { organization_id: city.organizations.cedar }
    await call(app, city.stranger, changeOrganization, {
      params: org,
      body: { settings: { mfaRequired: true } },
    })
    expect(await call(app, city.stranger, getMe)).toMatchObject({ mfaRequired: true })
    expect(readProblem(await send(app, city.stranger, listRegions)).status).toBe(403)
    expect(
      readProblem(
        await send(app, city.stranger, changeOrganization, {
          params: org,
          body: { settings: { mfaRequired: false } },
        }),
      ).status,
    ).toBe(403)
    await app.state.execute(
      `update "user" set "twoFactorEnabled" = true where email = 'stranger@cedar.example'`,
    )
    expect((await call(app, city.stranger, getMe)).mfaRequired).toBe(false)
    await call(app, city.stranger, changeOrganization, {
      params: org,
      body: { settings: { mfaRequired: false } },
    })
  })
})

describe('impersonation', () => {
  const viewAs = async (id: string) => makeHeaders(city.admin, { 'impersonated-user': id })

  it('shows what the user sees with the user’s keys only, and is indicated', async () => {
    const planner = await findUser('planner@alder.example')
    expect(
      await call(app, city.admin, startImpersonation, {
        body: { user_id: planner.id, user_email: 'Planner@alder.example' },
      }),
    ).toEqual({ user_id: planner.id, user_email: 'planner@alder.example' })
    const headers = await viewAs(planner.id)
    const me = (await request(app, { method: 'GET', url: '/v2/users/me', headers })).json()
    expect(me).toMatchObject({
      email: 'planner@alder.example',
      impersonatedBy: { user_email: 'admin@alder.example' },
    })
    expect(readProblem(await request(app, { method: 'GET', url: '/v2/users', headers })).status).toBe(403)
    expect(
      readProblem(
        await request(app, { method: 'PATCH', url: '/v2/regions/alder', headers, body: { text: 'Taken' } }),
      ).status,
    ).toBe(403)
    expect(
      readProblem(
        await request(app, {
          method: 'PATCH',
          url: '/v2/users/me',
          headers,
          body: { acceptedTermsOfService: true },
        }),
      ).status,
    ).toBe(403)
    const legacy = await request(app, {
      method: 'POST',
      url: '/apipy/layers/list',
      body: { token: city.admin.token, region_id: 'alder', impersonated_user: planner.id },
    })
    expect(legacy.json()).toMatchObject({ success: true })
  })

  it('does not cross organizations, and is for administrators only', async () => {
    const stranger = (await call(app, city.stranger, getMe)).id
    expect(
      readProblem(await request(app, { method: 'GET', url: '/v2/users/me', headers: await viewAs(stranger) }))
        .status,
    ).toBe(403)
    expect(
      readProblem(
        await request(app, { method: 'GET', url: '/v2/users/me', headers: await viewAs(randomUUID()) }),
      ).detail,
    ).toBe('There is no such user in your organization.')
    expect(
      readProblem(
        await send(app, city.admin, startImpersonation, {
          body: { user_id: stranger, user_email: 'stranger@cedar.example' },
        }),
      ).status,
    ).toBe(404)
    const admin = (await call(app, city.admin, getMe)).id
    expect(
      readProblem(
        await request(app, {
          method: 'GET',
          url: '/v2/users/me',
          headers: makeHeaders(city.planner, { 'impersonated-user': admin }),
        }),
      ).status,
    ).toBe(403)
    expect(
      readProblem(
        await send(app, city.admin, startImpersonation, {
          body: { user_id: admin, user_email: 'admin@alder.example' },
        }),
      ).status,
    ).toBe(422)
    const { id } = await findUser('viewer@alder.example')
    expect(
      readProblem(
        await send(app, city.admin, startImpersonation, {
          body: { user_id: id, user_email: 'planner@alder.example' },
        }),
      ).status,
    ).toBe(404)
  })

  it('is in the audit log under both names, including reads', async () => {
    const viewer = await findUser('viewer@alder.example')
    const headers = await viewAs(viewer.id)
    await request(app, { method: 'GET', url: '/v2/regions', headers })
    await request(app, { method: 'GET', url: '/v2/regions', headers })
    await request(app, { method: 'PATCH', url: '/v2/regions/alder', headers, body: { text: 'Taken' } })
    await expect
      .poll(async () =>
        (
          await call(app, city.admin, listAudit, { query: { user_id: viewer.id, impersonated: 'true' } })
        ).items.map(({ action, status, user_email, admin_email }) => [
          action,
          status,
          user_email,
          admin_email,
        ]),
      )
      .toEqual([
        ['changeRegion', 403, 'viewer@alder.example', 'admin@alder.example'],
        ['listRegions', 200, 'viewer@alder.example', 'admin@alder.example'],
      ])
  })
})

describe('the audit log', () => {
  it('contains every change of the organization, newest first, and no reads', async () => {
    await call(app, city.admin, changeRegion, { params: { region_id: 'birch' }, body: { mapZoom: 12 } })
    await call(app, city.viewer, changeMe, { body: { name: 'Vivian' } })
    await expect
      .poll(async () =>
        (await call(app, city.admin, listAudit, { query: { impersonated: 'false' } })).items
          .slice(0, 2)
          .map(({ action, path, user_email }) => [action, path, user_email]),
      )
      .toEqual([
        ['changeMe', '/v2/users/me', 'viewer@alder.example'],
        ['changeRegion', '/v2/regions/birch', 'admin@alder.example'],
      ])
    const all = (await call(app, city.admin, listAudit, { query: { size: 300 } })).items
    expect(all.some(({ method, admin_id }) => method === 'GET' && !admin_id)).toBe(false)
    expect(JSON.stringify(all)).not.toMatch(/cedar/)
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
    for (const order_by of ['action', '-action', 'actor', 'path', 'result', 'at'] as const) {
      const pages = await Promise.all(
        [1, 2, 3].map((page) => call(app, city.admin, listAudit, { query: { page, size: 4, order_by } })),
      )
      const ids = pages.flatMap(({ items }) => items.map(({ id }) => id))
      expect(new Set(ids).size).toBe(ids.length)
    }
    const last = await call(app, city.admin, listAudit, { query: { size: 1, order_by: '-action' } })
    expect(last.items[0]?.action).toBe(
      all
        .map(({ action }) => action)
        .toSorted()
        .at(-1),
    )
    expect(
      (await call(app, city.admin, listAudit, { query: { search: 'birch', end_date: '2020-01-01' } })).total,
    ).toBe(0)
    // Days are in the time zone, so the newest entry is on one day of each zone.
    const newest = new Date(all[0]!.at)
    for (const timezone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Honolulu']) {
      const day = localDay(newest, timezone)
      const ofDay = await call(app, city.admin, listAudit, {
        query: { start_date: day, end_date: day, timezone, size: 300 },
      })
      expect(ofDay.items.map(({ id }) => id)).toContain(all[0]!.id)
      expect(ofDay.items.every(({ at }) => localDay(new Date(at), timezone) === day)).toBe(true)
    }
    expect(
      (await call(app, city.admin, listAudit, { query: { search: '/v2/regions/birch' } })).items[0]?.action,
    ).toBe('changeRegion')
    expect(
      (await call(app, city.stranger, listAudit, {})).items.every(
        ({ user_email }) => user_email === 'stranger@cedar.example',
      ),
    ).toBe(true)
  })
})
