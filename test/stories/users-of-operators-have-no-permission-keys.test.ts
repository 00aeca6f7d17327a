import { afterAll, beforeAll, expect, test } from 'vitest'
import { getMe, getMyPermissions } from '#contract/identity.ts'
import { createOperator, deleteOperator } from '#contract/managed-operators.ts'
import { getOperator, listOperators } from '#contract/operators.ts'
import { changeRegion, getRegion } from '#contract/regions.ts'
import {
  changePermissionsOn,
  changeUser,
  changeUserRoles,
  createRole,
  inviteUser,
  listUsers,
  startImpersonation,
} from '#contract/users.ts'
import { systemScope } from '#server/identity/scope.ts'
import { call, openTestApp, readProblem, request, send, type TestApp } from '../app.ts'
import { makeRegions, sendTrips, type TestCity, addOperators } from '../city.ts'
import { cityTrips, formatCsv, tripMapping } from '../city/trips.ts'

let app: TestApp
let city: TestCity
let viewerId: string
let deskRoleId: string
beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  await addOperators(app, city.admin, ['lark', 'heron'])
  viewerId = (await call(app, city.viewer, getMe)).id
  deskRoleId = (await call(app, city.admin, createRole, { body: { name: 'Desk', keys: ['edit_policy'] } })).id
  await sendTrips(app, city.admin, {
    region_id: 'alder',
    file_name: 'rides.csv',
    bytes: formatCsv(
      cityTrips.slice(0, 60).map((trip, index) => ({ ...trip, operator: index % 2 ? 'lark' : 'heron' })),
    ),
    mapping: tripMapping,
  })
})
afterAll(() => app.close())

const setLimit = (operators: string[] | null, user_id = viewerId) =>
  send(app, city.admin, changeUser, { params: { user_id }, body: { operators } })
const listSlugs = async () => (await call(app, city.viewer, listOperators, {})).items.map(({ slug }) => slug)
const getProblem = async (response: ReturnType<typeof setLimit>) =>
  ((problem) => [problem.status, problem.detail])(readProblem(await response))

test('a limit to operators takes effect with the next request, as does its removal', async () => {
  expect(await listSlugs()).toEqual(['heron', 'lark'])
  expect((await setLimit(['lark', 'lark'])).json()).toMatchObject({ operators: ['lark'] })
  expect(await listSlugs()).toEqual(['lark'])
  expect((await call(app, city.viewer, getMe)).operators).toEqual(['lark'])
  expect((await send(app, city.viewer, getOperator, { params: { slug: 'heron' } })).statusCode).toBe(404)
  expect(
    (await call(app, city.admin, listUsers, { query: { search: 'viewer@' } })).items[0]?.operators,
  ).toEqual(['lark'])
  expect((await setLimit([])).json()).toMatchObject({ operators: null })
  expect(await listSlugs()).toEqual(['heron', 'lark'])
  expect(await getProblem(setLimit(['lark', 'nobody']))).toEqual([
    422,
    "operators: Your organization has no operator 'nobody'.",
  ])
})

test('limited users get no permission keys, and users with keys cannot be limited', async () => {
  const admin = await call(app, city.admin, getMe)
  expect((await getProblem(setLimit(['lark'], admin.id)))[0]).toBe(409)
  await setLimit(['lark'])
  const none =
    'viewer@alder.example is the sign-in of an operator: it looks on, and can hold no permission, neither its own nor by a role.'
  for (const key of [
    'is_admin',
    'edit_policy',
    'edit_geography',
    'publish_to_public_map',
    'edit_curb_regulations',
    'draft_invoices',
    'record_payments',
    'approve_curb_prices',
  ])
    expect(
      await getProblem(
        send(app, city.admin, changePermissionsOn, {
          params: { obj_type: 'user', obj_id: viewerId },
          body: { permissions: [{ key, enabled: true }] },
        }),
      ),
    ).toEqual([409, none])
  expect(
    await getProblem(
      send(app, city.admin, changeUserRoles, {
        params: { user_id: viewerId },
        body: { role_ids: [deskRoleId] },
      }),
    ),
  ).toEqual([409, none])
  const quiet = (await call(app, city.admin, createRole, { body: { name: 'Guests' } })).id
  await call(app, city.admin, changeUserRoles, { params: { user_id: viewerId }, body: { role_ids: [quiet] } })
  expect(
    await getProblem(
      send(app, city.admin, changePermissionsOn, {
        params: { obj_type: 'role', obj_id: quiet },
        body: { permissions: [{ key: 'edit_geography', enabled: true }] },
      }),
    ),
  ).toEqual([409, none])
  expect((await call(app, city.viewer, getMyPermissions)).some(({ enabled }) => enabled)).toBe(false)
})

test('a stored key has no effect for limited users', async () => {
  await app.state
    .as(systemScope)
    .updateTable('user')
    .set({ permissionKeys: 'is_admin edit_policy' })
    .where('id', '=', viewerId)
    .execute()
  expect((await call(app, city.viewer, getMyPermissions)).some(({ enabled }) => enabled)).toBe(false)
  for (const response of [
    send(app, city.viewer, listUsers, {}),
    send(app, city.viewer, startImpersonation, { body: { user_id: 'x', user_email: 'x' } }),
  ])
    expect((await getProblem(response))[0]).toBe(403)
  const { id } = await call(app, city.planner, getMe)
  expect(
    (
      await request(app, {
        method: 'GET',
        url: '/v2/users/me',
        headers: { authorization: `Bearer ${city.viewer.token}`, 'impersonated-user': id },
      })
    ).statusCode,
  ).toBe(403)
  await app.state
    .as(systemScope)
    .updateTable('user')
    .set({ permissionKeys: '' })
    .where('id', '=', viewerId)
    .execute()
})

test('an administrator who impersonates a limited user sees the same', async () => {
  const response = await request(app, {
    method: 'GET',
    url: '/v2/operators',
    headers: { authorization: `Bearer ${city.admin.token}`, 'impersonated-user': viewerId },
  })
  expect(response.json().items.map(({ slug }: { slug: string }) => slug)).toEqual(['lark'])
})

test('invitations can have operators, but not together with a role that has keys', async () => {
  const invite = (body: object) =>
    send(app, city.admin, inviteUser, { body: { email: 'new@lark.example', name: 'New', ...body } as never })
  expect((await getProblem(invite({ operators: ['lark'], role_ids: [deskRoleId] })))[0]).toBe(409)
  expect((await call(app, city.admin, listUsers, { query: { search: 'new@lark' } })).total).toBe(0)
  expect((await invite({ operators: ['lark', 'heron'] })).json().user).toMatchObject({
    operators: ['lark', 'heron'],
    invited: true,
  })
})

test('a user limited to an unknown operator sees nothing', async () => {
  await call(app, city.admin, createOperator, { body: { slug: 'gone', name: 'Gone', colorHex: '#123456' } })
  await setLimit(['gone'])
  await call(app, city.admin, deleteOperator, { params: { slug: 'gone' } })
  expect(await listSlugs()).toEqual([])
})

test('a region states whether uncertain positions count', async () => {
  const region_id = 'alder'
  expect((await call(app, city.viewer, getRegion, { params: { region_id } })).countsUncertain).toBe(false)
  await call(app, city.admin, changeRegion, { params: { region_id }, body: { countsUncertain: true } })
  expect((await call(app, city.viewer, getRegion, { params: { region_id } })).countsUncertain).toBe(true)
})
