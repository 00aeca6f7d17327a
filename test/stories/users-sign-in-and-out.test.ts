import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { dayMs } from '#contract/period.ts'
import { createFirstUser } from '#server/identity/create-first-user.ts'
import { systemScope } from '#server/identity/scope.ts'
import { openTestApp, readProblem, request, type SignedIn, signIn, type TestApp } from '../app.ts'
import { makePeople, password, type TestCity, addUser } from '../city.ts'

let app: TestApp
let city: TestCity
beforeAll(async () => {
  app = await openTestApp()
  city = await makePeople(app)
})
afterAll(() => app.close())
afterEach(() => void vi.useRealTimers())

const sendSignIn = (body: unknown, from: string, headers: Record<string, string> = {}) =>
  request(app, { method: 'POST', url: '/api/auth/sign-in/email', body, from, headers })
const getMe = (headers: Record<string, string>) =>
  request(app, { method: 'GET', url: '/v2/users/me', headers })
const getMeByToken = ({ token }: SignedIn) => getMe({ authorization: `Bearer ${token}` })
const getMeByCookie = ({ cookie }: SignedIn) => getMe({ cookie })

describe('a sign-in', () => {
  it('a sign-in with the correct password returns an HTTP-only cookie and a token', async () => {
    const response = await sendSignIn({ email: 'ADMIN@alder.example', password }, '10.2.0.1')
    expect(response.statusCode).toBe(200)
    const cookie = String([response.headers['set-cookie']].flat()[0])
    expect(cookie).toMatch(/^publicway\.session_token=/)
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).toMatch(/SameSite=Lax/i)
    expect(response.headers['set-auth-token']).toMatch(/^\S{20,}$/)
    expect(response.body).not.toContain('hash')
  })

  it('returns the same user by cookie and by token', async () => {
    for (const response of [await getMeByToken(city.planner), await getMeByCookie(city.planner)]) {
      expect(response.statusCode).toBe(200)
      expect(response.json()).toMatchObject({
        email: 'planner@alder.example',
        organizationId: city.organizations.alder,
      })
      expect(response.headers['cache-control']).toBe('no-store')
    }
    const keys = (
      await request(app, {
        method: 'GET',
        url: '/v2/users/me/permissions',
        headers: { cookie: city.planner.cookie },
      })
    ).json()
    expect(keys).toEqual(
      [
        'is_admin',
        'edit_geography',
        'edit_policy',
        'publish_to_public_map',
        'edit_curb_regulations',
        'draft_invoices',
        'approve_invoices',
        'issue_invoices',
        'record_payments',
        'approve_curb_prices',
      ].map((key) => ({ key, enabled: key === 'edit_geography' })),
    )
  })

  it('a sign-in with a wrong password or an unknown address fails with the same message', async () => {
    const wrong = await sendSignIn({ email: 'admin@alder.example', password: 'not this one' }, '10.2.0.2')
    const unknown = await sendSignIn({ email: 'nobody@alder.example', password }, '10.2.0.2')
    expect([wrong.statusCode, unknown.statusCode]).toEqual([401, 401])
    // Each rejection has its own id.
    const omitId = (body: string) => ({ ...JSON.parse(body), id: null })
    expect(omitId(wrong.body)).toEqual(omitId(unknown.body))
    expect(wrong.headers['set-cookie']).toBeUndefined()
    expect((await sendSignIn({}, '10.2.0.2')).statusCode).toBe(400)
    expect((await sendSignIn({ email: "' or 1=1 --", password: "' or 1=1 --" }, '10.2.0.2')).statusCode).toBe(
      400,
    )
  })

  it('is not valid with an altered cookie', async () => {
    const [name, value = ''] = city.admin.cookie.split('=')
    const [token, signature = ''] = value.split('.')
    // The first character, because some bits of the last one are not part of the signature.
    const altered = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
    expect((await getMe({ cookie: `${name}=${token}.${altered}` })).statusCode).toBe(401)
    expect((await getMe({ cookie: `${name}=${token}` })).statusCode).toBe(401)
  })

  it('is rejected from a page of another site', async () => {
    const response = await request(app, {
      method: 'POST',
      url: '/api/auth/sign-in/email',
      body: { email: 'admin@alder.example', password },
      from: '10.2.0.3',
      headers: { origin: 'https://elsewhere.example', cookie: city.admin.cookie },
    })
    expect(response.statusCode).toBe(403)
  })

  it('is delayed after ten attempts in a minute per address', async () => {
    const codes: number[] = []
    for (let i = 0; i < 13; i++)
      codes.push(
        (await sendSignIn({ email: `guess-${i}@alder.example`, password: `guess number ${i}` }, '10.2.0.4'))
          .statusCode,
      )
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429, 429])
    expect((await sendSignIn({ email: 'viewer@alder.example', password }, '10.2.0.4')).statusCode).toBe(429)
    expect((await sendSignIn({ email: 'viewer@alder.example', password }, '10.2.0.5')).statusCode).toBe(200)
    // A forged header does not reset the limit either.
    expect(
      (
        await sendSignIn({ email: 'viewer@alder.example', password }, '10.2.0.4', {
          'x-client-ip': '10.9.9.9',
          'x-forwarded-for': '10.9.9.9',
        })
      ).statusCode,
    ).toBe(429)
  })

  it('does not let users sign up, or change their own organization or keys', async () => {
    const signUp = await request(app, {
      method: 'POST',
      url: '/api/auth/sign-up/email',
      body: { email: 'me@alder.example', password, name: 'Me', organizationId: city.organizations.alder },
      from: '10.2.0.6',
    })
    expect(signUp.statusCode).toBeGreaterThanOrEqual(400)
    const users = await app.state.as(systemScope).selectFrom('user').select('email').execute()
    expect(users.map(({ email }) => email).toSorted()).toEqual([
      'admin@alder.example',
      'planner@alder.example',
      'stranger@cedar.example',
      'viewer@alder.example',
    ])
    const headers = { authorization: `Bearer ${city.viewer.token}` }
    await request(app, {
      method: 'POST',
      url: '/api/auth/update-user',
      headers,
      body: { permissionKeys: 'is_admin', organizationId: city.organizations.cedar, disabled: false },
    })
    await request(app, {
      method: 'PATCH',
      url: '/v2/users/me',
      headers,
      body: {
        name: 'Vic',
        acceptedTermsOfService: true,
        permissionKeys: 'is_admin',
        organizationId: city.organizations.cedar,
      },
    })
    expect((await getMe(headers)).json()).toMatchObject({
      name: 'Vic',
      acceptedTermsOfService: true,
      organizationId: city.organizations.alder,
    })
    expect(
      readProblem(await request(app, { method: 'POST', url: '/v2/regions', headers, body: {} })).status,
    ).toBe(403)
  })

  it('creates the first administrator once, if there are no users', async () => {
    expect(await createFirstUser({ ...app, config: { publicUrl: '' } }, new Date())).toBeNull()
    expect((await request(app, { method: 'GET', url: '/internal/demo' })).statusCode).toBe(404)
  })
})

describe('a session', () => {
  it('survives a restart of the server', async () => {
    await app.stop()
    app = await openTestApp(app.dataDir)
    expect((await getMeByToken(city.admin)).statusCode).toBe(200)
    expect((await getMeByCookie(city.admin)).json()).toMatchObject({ email: 'admin@alder.example' })
    expect((await sendSignIn({ email: 'admin@alder.example', password }, '10.2.1.1')).statusCode).toBe(200)
  })

  it('ends at sign-out without affecting others', async () => {
    const here = await signIn(app, 'admin@alder.example', password)
    const out = await request(app, {
      method: 'POST',
      url: '/api/auth/sign-out',
      headers: { cookie: here.cookie, origin: 'http://streets.example:4870', host: 'streets.example:4870' },
      body: {},
    })
    expect(out.statusCode).toBe(200)
    expect([(await getMeByCookie(here)).statusCode, (await getMeByToken(here)).statusCode]).toEqual([
      401, 401,
    ])
    expect((await getMeByToken(city.admin)).statusCode).toBe(200)
  })

  it('ends at once for a disabled user, who can sign in again when enabled', async () => {
    await addUser(app, city, 'leaver@alder.example')
    const leaver = await signIn(app, 'leaver@alder.example', password)
    const set = (disabled: boolean) =>
      app.state
        .as(systemScope)
        .updateTable('user')
        .set({ disabled })
        .where('email', '=', 'leaver@alder.example')
        .execute()
    await set(true)
    expect([(await getMeByToken(leaver)).statusCode, (await getMeByCookie(leaver)).statusCode]).toEqual([
      403, 403,
    ])
    const again = await sendSignIn({ email: 'leaver@alder.example', password }, '10.2.1.2')
    expect([again.statusCode, again.headers['set-auth-token']]).toEqual([401, undefined])
    await set(false)
    expect((await getMeByToken(leaver)).statusCode).toBe(200)
  })

  it('is not valid after it expires', async () => {
    const late = await signIn(app, 'viewer@alder.example', password)
    await app.state.execute(
      `update "session" set "expiresAt" = now() - interval '1 minute' where "token" = $1`,
      [decodeURIComponent(late.token).split('.')[0]],
    )
    expect([(await getMeByToken(late)).statusCode, (await getMeByCookie(late)).statusCode]).toEqual([
      401, 401,
    ])
  })

  it('is recorded with its time, and in the audit log', async () => {
    const before = new Date()
    await signIn(app, 'planner@alder.example', password)
    const store = app.state.as(systemScope)
    const user = await store
      .selectFrom('user')
      .select('lastSignInTime')
      .where('email', '=', 'planner@alder.example')
      .executeTakeFirst()
    expect(user?.lastSignInTime?.getTime()).toBeGreaterThanOrEqual(before.getTime() - 1000)
    const act = await store
      .selectFrom('audit')
      .selectAll()
      .where('user_email', '=', 'planner@alder.example')
      .orderBy('audit_id', 'desc')
      .executeTakeFirst()
    expect(act).toMatchObject({
      action: 'sign-in',
      method: 'POST',
      path: '/api/auth/sign-in/email',
      status: 200,
      organization_id: city.organizations.alder,
      admin_id: null,
      address: expect.stringMatching(/^10\.1\./),
    })
  })

  it('expires after seven days without use', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const user = await signIn(app, 'planner@alder.example', password)
    const advanceDays = (count: number): void => void vi.setSystemTime(Date.now() + count * dayMs)
    advanceDays(6)
    expect((await getMeByCookie(user)).statusCode).toBe(200)
    advanceDays(6)
    expect((await getMeByCookie(user)).statusCode).toBe(200)
    advanceDays(7.1)
    expect([(await getMeByCookie(user)).statusCode, (await getMeByToken(user)).statusCode]).toEqual([
      401, 401,
    ])
  })

  it('has a secure cookie over HTTPS', async () => {
    await app.stop()
    app = await openTestApp(app.dataDir, { PUBLIC_URL: 'https://streets.example' })
    const cookie = String(
      [
        (await sendSignIn({ email: 'admin@alder.example', password }, '10.2.1.9')).headers['set-cookie'],
      ].flat()[0],
    )
    expect(cookie).toMatch(/^__Secure-publicway\.session_token=/)
    for (const attribute of [/; Secure/i, /; HttpOnly/i, /; SameSite=Lax/i, /; Path=\//i])
      expect(cookie).toMatch(attribute)
    expect(cookie).not.toMatch(/Domain/i)
    expect((await getMe({ cookie: cookie.split(';')[0] ?? '' })).statusCode).toBe(200)
  })

  it('is opened by passwords that are stored as hashes only', async () => {
    const { rows } = await app.state.execute('select password from account')
    expect(rows.length).toBeGreaterThan(3)
    for (const row of rows)
      expect((row as { password: string }).password).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/)
  })
})
