import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import {
  type ApiKey,
  createApiKey,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
  rotateApiKey,
  takeOverApiKey,
} from '#contract/api-keys.ts'
import { type Endpoint } from '#contract/endpoint.ts'
import { getExport, listExports, startExport } from '#contract/exports.ts'
import { getTripsSummary, listExternalGeographies, listExternalPolicies } from '#contract/external.ts'
import { makeAgencyToken } from '#contract/feeds.ts'
import { uploadShapes } from '#contract/boundary-files.ts'
import { listLayers } from '#contract/geography.ts'
import { listOperators } from '#contract/operators.ts'
import { dayMs } from '#contract/period.ts'
import { changePermissionsOn, changeUser, inviteUser, listAudit, listUsers } from '#contract/users.ts'
import { queueExpiryNotices } from '#server/api-keys/expiry-notices.ts'
import { hashSecret } from '#server/api-keys/find-key.ts'
import { systemScope } from '#server/identity/scope.ts'
import {
  call,
  openTestApp,
  readProblem,
  request,
  send,
  type SignedIn,
  type TestApp,
  makeUrl,
} from '../app.ts'
import { insertFeed } from '../store-region.ts'
import { addLayer, makeRegions, sendTrips, type TestCity } from '../city.ts'
import { zones } from '../city/shapes.ts'
import { downloadBytes, parseCsv } from '../exports.ts'
import { cityTrips, formatCsv, tripMapping } from '../city/trips.ts'

const region_id = 'alder'
let app: TestApp
let city: TestCity

beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  await addLayer(app, city.admin, { region_id, layer_name: 'Zones', shapes: zones })
})
afterAll(() => app.close())

type KeyFields = Partial<Parameters<typeof createApiKey.request.body.parse>[0] & NewApiKey>

const makeKey = (overrides: KeyFields = {}, as: SignedIn = city.admin) =>
  call(app, as, createApiKey, {
    body: { name: 'Dashboard', scopes: ['geographies:read'], region_ids: [region_id], ...overrides },
  })

let addresses = 0
/** Returns a new address, so that failed calls of one test do not limit another one. */
const makeAddress = (): string => `10.9.${++addresses >> 8}.${addresses & 255}`

/** Calls an endpoint below `/external`. */
const callWithKey = (
  secret: string,
  endpoint: Endpoint,
  input: { params?: object; query?: object; body?: unknown; from?: string; bearer?: true } = {},
) =>
  request(app, {
    method: endpoint.method,
    url: makeUrl(endpoint, input, '/external'),
    headers: input.bearer ? { authorization: `Bearer ${secret}` } : { 'x-api-key': secret },
    body: input.body,
    from: input.from ?? makeAddress(),
  })
const readLayers = (secret: string, id: string = region_id, options: { from?: string; bearer?: true } = {}) =>
  callWithKey(secret, listLayers, { params: { region_id: id }, ...options })
const getStatus = async (response: Promise<{ statusCode: number }>): Promise<number> =>
  (await response).statusCode
const findKey = async (keyId: string): Promise<ApiKey | undefined> =>
  (await call(app, city.admin, listApiKeys)).items.find(({ key_id }) => key_id === keyId)
const store = () => app.state.as(systemScope)
const getUserId = async (email: string): Promise<string> =>
  (await call(app, city.admin, listUsers, { query: { search: email } })).items[0]?.id ?? ''

describe('an API key', () => {
  it('is shown once, stored as a hash, and gives access to its scope, by either header', async () => {
    const { key, secret } = await makeKey()
    expect(secret).toMatch(/^pwk_live_[0-9a-z]{12}_[\w-]{43}$/)
    expect(secret).toContain(key.prefix)
    expect(secret.endsWith(key.hint)).toBe(true)
    const rows = await store().selectFrom('api_key').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret.slice(-43))
    expect(Math.round((Date.parse(key.expires_time ?? '') - Date.parse(key.created_time)) / dayMs)).toBe(365)
    const response = await readLayers(secret)
    expect([response.statusCode, response.json<unknown[]>()]).toEqual([200, expect.any(Object)])
    expect(response.body).toContain('Zones')
    expect(await getStatus(readLayers(secret, region_id, { bearer: true }))).toBe(200)
    expect(response.headers).toMatchObject({
      'ratelimit-limit': '600',
      'ratelimit-remaining': '599',
      'ratelimit-policy': '600;w=60',
    })
  })

  it('cannot be used as a session, nor a session as a key', async () => {
    const { secret } = await makeKey()
    const asSession = await request(app, {
      method: 'GET',
      url: makeUrl(listLayers, { params: { region_id } }),
      headers: { authorization: `Bearer ${secret}`, 'x-api-key': secret },
    })
    expect(readProblem(asSession).status).toBe(401)
    const asKey = await readLayers(city.admin.token, region_id, { bearer: true })
    expect(readProblem(asKey).status).toBe(401)
    const byCookie = await request(app, {
      method: 'GET',
      url: makeUrl(listLayers, { params: { region_id } }, '/external'),
      headers: { cookie: city.admin.cookie },
    })
    expect(readProblem(byCookie).status).toBe(401)
    // Endpoints without a scope do not exist below `/external`.
    expect(await getStatus(callWithKey(secret, listUsers))).toBe(404)
  })

  it('is refused in other regions, for other scopes and from other addresses', async () => {
    const { secret } = await makeKey()
    expect(readProblem(await readLayers(secret, 'birch'))).toMatchObject({
      status: 403,
      detail: 'The API key is not for this region.',
    })
    expect(await getStatus(readLayers(secret, 'cedar'))).toBe(403)
    const overScoped = await callWithKey(secret, listExternalPolicies, { params: { region_id } })
    expect(readProblem(overScoped)).toMatchObject({
      status: 403,
      detail: expect.stringContaining('no scope policies:read'),
    })
    expect(await getStatus(callWithKey(secret, listOperators, { query: { region_id } }))).toBe(403)
    const near = await makeKey({ cidrs: ['203.0.113.0/24', '2001:db8::/32'] })
    expect(await getStatus(readLayers(near.secret, region_id, { from: '203.0.113.9' }))).toBe(200)
    expect(await getStatus(readLayers(near.secret, region_id, { from: '2001:db8::7' }))).toBe(200)
    expect(readProblem(await readLayers(near.secret, region_id, { from: '203.0.114.9' }))).toMatchObject({
      status: 403,
      detail: 'The API key may not be used from this address.',
    })
  })

  it('is refused once it is revoked or expired, and with a wrong secret', async () => {
    const { key, secret } = await makeKey()
    expect(await getStatus(readLayers(secret))).toBe(200)
    expect(readProblem(await readLayers(`${secret.slice(0, -2)}xx`)).detail).toBe('The API key is unknown.')
    await store()
      .updateTable('api_key')
      .set({ expires_time: new Date(Date.now() - 1000) })
      .where('key_id', '=', key.key_id)
      .execute()
    expect(readProblem(await readLayers(secret))).toMatchObject({
      status: 401,
      detail: 'The API key has expired.',
    })
    expect((await findKey(key.key_id))?.state).toBe('expired')
    const other = await makeKey()
    await call(app, city.admin, revokeApiKey, { params: { key_id: other.key.key_id } })
    expect(readProblem(await readLayers(other.secret))).toMatchObject({
      status: 401,
      detail: 'The API key was revoked.',
    })
    expect(await findKey(other.key.key_id)).toMatchObject({ state: 'revoked', revoked_by: city.admin.email })
  })

  it('sees the regions of its owner if it names none, and no other organization', async () => {
    const { secret } = await makeKey({ region_ids: null })
    expect(await getStatus(readLayers(secret, 'birch'))).toBe(200)
    expect(await getStatus(readLayers(secret, 'cedar'))).toBe(403)
  })

  it('cannot be created with more than its creator has, nor without what its scopes need', async () => {
    const expectRefused = async (overrides: KeyFields) =>
      readProblem(
        await send(app, city.admin, createApiKey, {
          body: { name: 'Too much', scopes: ['geographies:read'], region_ids: [region_id], ...overrides },
        }),
      ).detail
    expect(await expectRefused({ region_ids: ['cedar'] })).toContain("access to region 'cedar'")
    expect(await expectRefused({ expires_days: 731 })).toContain('At most 730 days')
    expect(await expectRefused({ scopes: ['mds.agency:write'] })).toContain('Select a feed')
    expect(await expectRefused({ scopes: ['payments:write'], region_ids: null })).toContain(
      'one or more regions',
    )
    expect(await expectRefused({ scopes: ['payments:write'], operator: 'lark' })).toContain(
      'cannot be limited',
    )
    expect(await expectRefused({ scopes: ['users:write'], operator: 'lark' })).toContain('cannot be limited')
    expect((await send(app, city.planner, createApiKey, { body: {} as never })).statusCode).toBe(403)
    const list = await call(app, city.stranger, listApiKeys)
    expect(list.items).toEqual([])
  })
})

test('a key for exports of one operator sees and writes nothing of others', { timeout: 60_000 }, async () => {
  await sendTrips(app, city.admin, {
    region_id,
    file_name: 'rides.csv',
    bytes: formatCsv(cityTrips),
    mapping: tripMapping,
  })
  const { secret } = await makeKey({ scopes: ['exports:read'], operator: 'alder-bikes' })
  const params = { region_id, table: 'trips' } as const
  const days = { start_date: '2026-03-01', end_date: '2026-03-31' }
  const start = (body: object, table: string = params.table) =>
    callWithKey(secret, startExport, { params: { region_id, table }, body: { ...days, ...body } })
  expect(readProblem(await start({ operators: ['birch-scoot'] })).detail).toContain('alder-bikes only')
  expect(readProblem(await start({ start_date: null, end_date: null }, 'shapes')).status).toBe(403)
  const whole = await call(app, city.admin, startExport, {
    params,
    body: { ...days, format: 'csv' } as never,
  })
  const own = startExport.response.parse((await start({})).json())
  expect(own.question.operators).toEqual(['alder-bikes'])
  const readOne = (exportId: string) =>
    callWithKey(secret, getExport, { params: { region_id, export_id: exportId } })
  expect(await getStatus(readOne(whole.export_id))).toBe(404)
  const ready = await vi.waitFor(async () => {
    const found = getExport.response.parse((await readOne(own.export_id)).json())
    expect(found.status).toBe('ready')
    return found
  }, 30_000)
  const rows = parseCsv(gunzipSync(await downloadBytes(app, ready.url)).toString())
  expect(rows).toHaveLength(ready.rows)
  expect(new Set(rows.map((row) => row['operator']))).toEqual(new Set(['alder-bikes']))
  const listed = listExports.response.parse(
    (await callWithKey(secret, listExports, { params: { region_id } })).json(),
  )
  expect(listed.items.map(({ export_id: id }) => id)).toEqual([own.export_id])
  const ofOwner = await call(app, city.admin, listExports, { params: { region_id } })
  expect(ofOwner.items).toHaveLength(2)
})

describe('an API key whose owner', () => {
  it('an API key whose owner loses a permission, a region or all access loses it at once', async () => {
    const { user } = await call(app, city.admin, inviteUser, {
      body: { email: 'second@alder.example', name: 'Second' },
    })
    const grant = (enabled: boolean) =>
      call(app, city.admin, changePermissionsOn, {
        params: { obj_type: 'user', obj_id: user.id },
        body: { permissions: [{ key: 'is_admin', enabled }] },
      })
    await grant(true)
    const { key, secret } = await makeKey({ scopes: ['users:write', 'geographies:read'], region_ids: null })
    await store().updateTable('api_key').set({ owner_id: user.id }).where('key_id', '=', key.key_id).execute()
    const invite = (email: string) =>
      callWithKey(secret, inviteUser, { body: { email, name: 'New', region_ids: [region_id] } })
    const invited = await invite('third@alder.example')
    expect(invited.json()).toMatchObject({
      onboarding_link: expect.stringMatching(/\/onboarding\/[0-9a-f-]{36}$/),
    })
    await grant(false)
    expect(readProblem(await invite('fourth@alder.example'))).toMatchObject({
      status: 403,
      detail: expect.stringContaining('its owner may not do this any more'),
    })
    expect(await getStatus(readLayers(secret, 'birch'))).toBe(200)
    const change = (body: object) => call(app, city.admin, changeUser, { params: { user_id: user.id }, body })
    await change({ region_ids: [region_id] })
    expect(await getStatus(readLayers(secret, 'birch'))).toBe(403)
    await change({ disabled: true })
    expect(readProblem(await readLayers(secret))).toMatchObject({
      status: 403,
      detail: 'The owner of the API key has no access any more.',
    })
    expect((await findKey(key.key_id))?.state).toBe('ownerless')
    const replacement = await call(app, city.admin, takeOverApiKey, { params: { key_id: key.key_id } })
    expect(replacement).toMatchObject({ state: 'active', owner_email: city.admin.email })
    expect(await getStatus(readLayers(secret, 'birch'))).toBe(200)
  })

  it('an API key whose owner gets an email before it expires is announced once', async () => {
    const { key } = await makeKey({ name: 'Ends soon', expires_days: 10 })
    await store()
      .updateTable('api_key')
      .set({ alerted_time: new Date() })
      .where('key_id', '!=', key.key_id)
      .execute()
    expect((await findKey(key.key_id))?.state).toBe('expiring')
    for (let times = 0; times < 2; times++) {
      await queueExpiryNotices(app.state, new Date())
      await app.notifications.deliver()
    }
    const mails = app.mails.filter(({ subject }) => subject?.includes('Ends soon'))
    expect(mails).toEqual([
      expect.objectContaining({ to: city.admin.email, text: expect.stringContaining('/admin/api-keys') }),
    ])
  })
})

describe('a client with a key', () => {
  it('can switch to a second key while the first one still works', async () => {
    const { key, secret } = await makeKey({ name: 'Rotating' })
    const rotate = () => send(app, city.admin, rotateApiKey, { params: { key_id: key.key_id } })
    const second = (await rotate()).json<{ key: ApiKey; secret: string }>()
    expect(second.key).toMatchObject({ name: 'Rotating', consumer_id: key.consumer_id, scopes: key.scopes })
    expect([await getStatus(readLayers(secret)), await getStatus(readLayers(second.secret))]).toEqual([
      200, 200,
    ])
    expect(readProblem(await rotate())).toMatchObject({ status: 409 })
    await call(app, city.admin, revokeApiKey, { params: { key_id: key.key_id } })
    expect([await getStatus(readLayers(secret)), await getStatus(readLayers(second.secret))]).toEqual([
      401, 200,
    ])
  })

  it('is limited by class, with a time to wait, and its use is counted', async () => {
    const { key, secret } = await makeKey({ scopes: ['metrics:read'] })
    const statuses: number[] = []
    for (let at = 0; at < 6; at++)
      statuses.push(await getStatus(callWithKey(secret, getTripsSummary, { params: { region_id } })))
    expect(statuses).not.toContain(429)
    const response = await callWithKey(secret, getTripsSummary, { params: { region_id } })
    expect(readProblem(response)).toMatchObject({ status: 429, code: 'too_many_requests' })
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(10)
    expect(response.headers).toMatchObject({ 'ratelimit-limit': '6', 'ratelimit-remaining': '0' })
    await app.apiKeys.close()
    const listed = await findKey(key.key_id)
    expect(listed).toMatchObject({ calls: 7, refused: 1 })
    expect(Date.now() - Date.parse(listed?.last_used_time ?? '')).toBeLessThan(60_000)
  })

  it('is limited by address when guessing keys, before a key is looked up', async () => {
    const from = makeAddress()
    const { secret } = await makeKey()
    let count = 0
    const guess = (): Promise<number> =>
      getStatus(readLayers(`pwk_live_abcdefghijkl_${'x'.repeat(40)}${100 + count++}`, region_id, { from }))
    expect(await guess()).toBe(401)
    // One more call per second is allowed, so a slow machine may need several attempts.
    await vi.waitFor(
      async () => {
        while ((await guess()) !== 429);
        expect(await getStatus(readLayers(secret, region_id, { from }))).toBe(429)
      },
      { timeout: 60_000 },
    )
    expect(count).toBeGreaterThanOrEqual(60)
    expect(await getStatus(readLayers(secret))).toBe(200)
  })
})

describe('API keys in other interfaces', () => {
  it('API keys read MDS Policy and Geography, for their caller alone', async () => {
    const { secret } = await makeKey({ scopes: ['policies:read', 'geographies:read'] })
    for (const endpoint of [listExternalPolicies, listExternalGeographies]) {
      const response = await callWithKey(secret, endpoint, { params: { region_id } })
      expect(response.statusCode).toBe(200)
      expect(response.headers['content-type']).toBe('application/vnd.mds+json;version=2.0')
      expect(response.headers['cache-control']).toContain('private')
      expect(response.headers).not.toHaveProperty('access-control-allow-origin')
    }
  })

  it('API keys push to a feed by either header, and older tokens still work', async () => {
    const feedId = await insertFeed(app.state, { region_id, operator: 'lark', kind: 'mds_agency' })
    const { token } = await call(app, city.admin, makeAgencyToken, { params: { region_id, feed_id: feedId } })
    const listVehicles = (headers: Record<string, string>) =>
      getStatus(request(app, { method: 'GET', url: '/mds/agency/vehicles', headers, from: makeAddress() }))
    expect(await listVehicles({ authorization: `Bearer ${token}` })).toBe(200)
    expect(await listVehicles({ 'x-api-key': token })).toBe(200)
    expect(await listVehicles({ authorization: `Bearer ${city.admin.token}` })).toBe(401)
    const { secret } = await makeKey()
    expect(await listVehicles({ 'x-api-key': secret })).toBe(403)
    expect(await getStatus(readLayers(token))).toBe(403)
    // As the migration stores tokens of releases without API keys.
    const old = `mds_${'a'.repeat(43)}`
    await store()
      .insertInto('api_key')
      .values({
        key_id: hashSecret(old),
        organization_id: city.organizations.alder,
        name: 'Lark',
        owner_id: null,
        has_owner: false,
        created_by: 'somebody@alder.example',
        secret_hash: hashSecret(old),
        hint: 'aaaa',
        scopes: JSON.stringify(['mds.agency:write']),
        region_ids: JSON.stringify([region_id]),
        feed_id: feedId,
        cidrs: '[]',
        rate_class: 'feed',
        created_time: new Date(),
      })
      .execute()
    expect(await listVehicles({ authorization: `Bearer ${old}` })).toBe(200)
    expect(await getStatus(readLayers(old))).toBe(403)
  })

  it('API keys are in the audit log with every change and every call', async () => {
    const entries = (await call(app, city.admin, listAudit, { query: { size: 300 } })).items
    const actions = new Set(entries.map(({ action }) => action))
    for (const action of ['createApiKey', 'rotateApiKey', 'revokeApiKey', 'takeOverApiKey'])
      expect(actions).toContain(action)
    const invitation = entries.find(
      ({ action, path }) => action === 'inviteUser' && path === '/external/users',
    )
    expect(invitation?.api_key_id).toMatch(/^[0-9a-z]{12}$/)
    expect(await getStatus(send(app, city.admin, uploadShapes, {}, '/external'))).toBe(404)
    expect(await getUserId('third@alder.example')).not.toBe('')
  })
})
