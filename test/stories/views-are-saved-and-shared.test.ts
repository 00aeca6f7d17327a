import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteSavedView, listSavedViews, saveView } from '#contract/saved-views.ts'
import { changeUser, listPermissionHolders } from '#contract/users.ts'
import type { PermissionKey } from '#contract/permission.ts'
import { call, openTestApp, readProblem, send, type SignedIn, signIn, type TestApp } from '../app.ts'
import { makeRegions, password, type TestCity, addUser } from '../city.ts'

let app: TestApp
let city: TestCity
/** Two users who see only Alder: a planner, and a neighbor without permissions. */
let planner: SignedIn
let neighbor: SignedIn
const params = { region_id: 'alder' }
const view = { name: 'Trips of last month', path: 'mobility/maps/trips', search: '?period=last_month' }

beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  const createUser = async (name: string, permissions: PermissionKey[]): Promise<SignedIn> => {
    const email = `${name}@alder.example`
    const user_id = await addUser(app, city, email, permissions)
    await call(app, city.admin, changeUser, { params: { user_id }, body: { region_ids: ['alder'] } })
    return signIn(app, email, password)
  }
  planner = await createUser('mapper', ['edit_policy'])
  neighbor = await createUser('reader', [])
})
afterAll(() => app.close())

const listViewNames = async (user: SignedIn): Promise<string[]> =>
  (await call(app, user, listSavedViews, { params })).items.map(({ name }) => name)

test('a saved view is visible to its owner only, unless it is shared', async () => {
  const ownView = await call(app, planner, saveView, { params, body: view })
  const shared = await call(app, planner, saveView, {
    params,
    body: { ...view, name: 'Everybody', is_shared: true },
  })
  expect(ownView).toMatchObject({ ...view, is_shared: false, created_by: 'mapper@alder.example' })
  expect(await listViewNames(planner)).toEqual(['Everybody', 'Trips of last month'])
  expect(await listViewNames(neighbor)).toEqual(['Everybody'])

  const remove = async (user: SignedIn, view_id: string) =>
    readProblem(await send(app, user, deleteSavedView, { params: { ...params, view_id } })).status
  expect(await remove(neighbor, ownView.view_id)).toBe(404)
  expect(await remove(neighbor, shared.view_id)).toBe(403)
  await call(app, city.admin, deleteSavedView, { params: { ...params, view_id: shared.view_id } })
  await call(app, planner, deleteSavedView, { params: { ...params, view_id: ownView.view_id } })
  expect(await listViewNames(planner)).toEqual([])
})

test('a saved view is a page below the region', async () => {
  for (const body of [
    { ...view, path: '//elsewhere.example' },
    { ...view, path: '../admin' },
    { ...view, search: 'period=last_month' },
    { ...view, name: ' ' },
  ])
    expect(readProblem(await send(app, planner, saveView, { params, body })).status).toBe(422)
})

test('users who may act are listed by name, in the region', async () => {
  const { items } = await call(app, neighbor, listPermissionHolders, {
    params,
    query: { key: 'edit_policy' },
  })
  expect(items).toContainEqual({ name: 'mapper', email: 'mapper@alder.example' })
  expect(items).not.toContainEqual({ name: 'reader', email: 'reader@alder.example' })
})
