// The guarantees of docs/security.md for all responses: headers, cookies, and errors without internals.
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { changeUser, deleteUser, getOwnData, getPersonData } from '#contract/users.ts'
import { getMe } from '#contract/identity.ts'
import { systemScope } from '#server/identity/scope.ts'
import { call, openTestApp, readProblem, request, send, type TestApp } from '../app.ts'
import { makeRegions, password, type TestCity } from '../city.ts'

let app: TestApp
let city: TestCity
beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
})
afterAll(() => app.close())

const makeBearer = () => ({ authorization: `Bearer ${city.admin.token}` })

/** Requests one response of each kind. */
const getResponses = async () => {
  const get = (url: string, headers: Record<string, string> = {}) =>
    request(app, { method: 'GET', url, headers })
  return {
    'the web page': await get('/'),
    'a page of a region': await get('/alder/mobility/maps/live'),
    'a JSON response': await get('/v2/regions', makeBearer()),
    'a public response': await get('/v2/public/regions?region_id=alder'),
    'a file': await get('/v2/regions/alder/layers', makeBearer()),
    'a rejected call': await get('/v2/regions'),
    'a call that does not exist': await get('/v2/nothing'),
    'a body that is not valid JSON': await app.http.inject({
      method: 'POST',
      url: '/v2/regions',
      payload: '{',
      headers: { 'content-type': 'application/json', ...makeBearer() },
    }),
    'a failed sign-in': await request(app, {
      method: 'POST',
      url: '/api/auth/sign-in/email',
      body: { email: 'nobody@alder.example', password: 'not this one' },
    }),
    'an unknown method': await app.http.inject({ method: 'DELETE', url: '/v2/regions' }),
    'the API reference': await get('/v2/docs/'),
    'a missing file': await get('/assets/none.js'),
    health: await get('/readyz'),
    'an MDS call without a token': await get('/mds/agency/vehicles'),
    'a CDS call without a token': await get('/cds/curbs/zones'),
    'the start of a single sign-on': await get('/oidc/login?iss=https%3A%2F%2Fnowhere.example'),
  }
}

describe('every response', () => {
  it('forbids inline scripts, framing, sniffing and referrers', async () => {
    for (const [kind, { headers }] of Object.entries(await getResponses())) {
      const policy = new Map(
        String(headers['content-security-policy'])
          .split(';')
          .map((part) => part.trim().split(' '))
          .map(([name = '', ...values]) => [name, values]),
      )
      const scripts = policy.get('script-src') ?? policy.get('default-src') ?? ['missing']
      expect([kind, scripts.filter((source) => !/^'(self|none|sha256-[\w+/=]+)'$/.test(source))]).toEqual([
        kind,
        [],
      ])
      expect([kind, policy.get('object-src'), policy.get('frame-ancestors')]).toEqual([
        kind,
        ["'none'"],
        ["'none'"],
      ])
      expect([
        kind,
        headers['x-content-type-options'],
        headers['referrer-policy'],
        headers['x-powered-by'],
        headers['server'],
      ]).toEqual([kind, 'nosniff', 'no-referrer', undefined, undefined])
    }
  })

  it('every response of the API is marked not to be stored by caches', async () => {
    const { 'a JSON response': response, 'a rejected call': refused } = await getResponses()
    expect([response.headers['cache-control'], refused.headers['cache-control']]).toEqual([
      expect.stringContaining('no-store'),
      expect.stringContaining('no-store'),
    ])
  })

  it('shows only its code on failure: no stack, no path, no statement', async () => {
    const broken = app.state.as(systemScope)
    const failures = [
      await request(app, { method: 'GET', url: "/v2/regions/'%3B--", headers: makeBearer() }),
      await request(app, { method: 'GET', url: '/v2/users?order_by=password', headers: makeBearer() }),
      await request(app, { method: 'GET', url: '/v2/audit?page=1e99', headers: makeBearer() }),
      await request(app, {
        method: 'PATCH',
        url: '/v2/regions/alder',
        headers: makeBearer(),
        body: { lat: 'x' },
      }),
    ]
    expect(await broken.selectFrom('region').select('region_id').execute()).toHaveLength(3)
    for (const failure of failures) {
      expect(readProblem(failure).status).toBeLessThan(500)
      expect(failure.body).not.toMatch(
        /node_modules|\.ts:\d|at \w+ \(|select |insert |syntax error|kysely|chdb|pglite|\/work\/|\/home\//i,
      )
    }
  })

  it('is free of internals before a route is found', async () => {
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    const address = app.http.server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const response = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'))
      let text = ''
      socket.on('data', (part) => (text += part.toString()))
      socket.once('end', () => resolve(text))
      socket.once('error', reject)
    })
    expect(response).toMatch(/^HTTP\/1\.1 400 /)
    expect(response).toContain('x-content-type-options: nosniff')
    expect(response).not.toMatch(/\.ts:\d|node_modules/)
  })
})

test('a cookie is unreadable for scripts, is not sent by other sites, and is for this host only', async () => {
  const response = await request(app, {
    method: 'POST',
    url: '/api/auth/sign-in/email',
    body: { email: city.admin.email, password },
    from: '10.9.9.9',
  })
  const cookies = [response.headers['set-cookie']].flat().map(String)
  expect(cookies.length).toBeGreaterThan(0)
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; HttpOnly(;|$)/i)
    expect(cookie).toMatch(/; SameSite=Lax(;|$)/i)
    expect(cookie).not.toMatch(/; Domain=/i)
  }
})

describe('the data of a person', () => {
  it('is available to administrators of the organization, without secrets', async () => {
    const { id } = await call(app, city.planner, getMe, {})
    const response = await send(app, city.admin, getPersonData, { params: { user_id: id } })
    expect(response.headers['content-disposition']).toContain('attachment')
    const { tables } = response.json<{ tables: { table: string; total: number; rows: object[] }[] }>()
    const names = tables.map(({ table }) => table)
    expect(names).toEqual(expect.arrayContaining(['account', 'audit', 'session', 'user']))
    for (const secret of [
      city.planner.token,
      decodeURIComponent(city.planner.token).split('.')[0] ?? '',
      password,
    ])
      expect(response.body).not.toContain(secret)
    expect(response.body).not.toMatch(/"(password|token|secret|backupCodes)"/)
    expect(response.body).not.toContain(city.viewer.email)
    for (const as of [city.stranger]) {
      const refused = await send(app, as, getPersonData, { params: { user_id: id } })
      expect(refused.statusCode).toBe(404)
    }
    expect((await send(app, city.viewer, getPersonData, { params: { user_id: id } })).statusCode).toBe(403)
  })

  it('is available to the user, without data of others', async () => {
    expect((await send(app, null, getOwnData)).statusCode).toBe(401)
    const response = await send(app, city.viewer, getOwnData)
    expect(response.headers['content-disposition']).toContain('attachment')
    const { user, tables } = response.json<{ user: { email: string }; tables: { table: string }[] }>()
    expect(user.email).toBe(city.viewer.email)
    expect(tables.map(({ table }) => table)).toEqual(expect.arrayContaining(['account', 'session', 'user']))
    for (const other of [city.admin, city.planner]) expect(response.body).not.toContain(other.email)
    expect(response.body).not.toMatch(/"(password|token|secret|backupCodes)"/)
  })

  it('includes every table with a column that names a user', async () => {
    const { id, email } = await call(app, city.admin, getMe, {})
    const tables = await app.state.maintenance.rowsOfPerson({ id, email }, 2)
    expect(tables.every(({ rows }) => rows.length <= 2)).toBe(true)
    expect(tables.find(({ table }) => table === 'audit')?.total).toBeGreaterThan(2)
    // Rows that the administrator created contain the email, not the id.
    expect(tables.find(({ table }) => table === 'user')?.rows[0]).toMatchObject({ email })
  })

  it('is deleted with the account, except for the audit log', async () => {
    const { id, email } = await call(app, city.viewer, getMe, {})
    const params = { user_id: id }
    expect((await send(app, city.admin, deleteUser, { params })).statusCode).toBe(409)
    await call(app, city.admin, changeUser, { params, body: { disabled: true } })
    expect((await send(app, city.stranger, deleteUser, { params })).statusCode).toBe(404)
    expect(await call(app, city.admin, deleteUser, { params })).toEqual({ deleted: true })
    const left = await app.state.maintenance.rowsOfPerson({ id, email }, 100)
    expect(left.map(({ table }) => table)).toEqual(['audit'])
    expect((await send(app, city.admin, deleteUser, { params })).statusCode).toBe(404)
  })
})
