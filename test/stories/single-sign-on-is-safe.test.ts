import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { getOidcConfig } from '#contract/identity.ts'
import {
  changeSignInProvider,
  createSignInProvider,
  listSignInProviders,
  type SignInProvider,
} from '#contract/sign-in-providers.ts'
import { systemScope } from '#server/identity/scope.ts'
import { call, openTestApp, readProblem, request, send, type TestApp } from '../app.ts'
import { makePeople, type TestCity, addUser } from '../city.ts'
import { bare, signInForged, getCookies, get, getPath, publicUrl, start } from '../oidc/browser.ts'
import { type ForgingProvider, startForgingProvider } from '../oidc/forging-provider.ts'
import { type RealProvider, startRealProvider, signInAtProvider } from '../oidc/real-provider.ts'

const secretOfForger = 'the forger’s client secret'

let app: TestApp
let city: TestCity
let real: RealProvider
let forger: ForgingProvider
let realSettings: SignInProvider
let forged: SignInProvider
beforeAll(async () => {
  app = await openTestApp(undefined, { PUBLIC_URL: publicUrl, PRIVATE_ADDRESSES: 'on' })
  city = await makePeople(app)
  real = await startRealProvider(`${publicUrl}/api/sso/callback/${city.organizations.alder}`)
  forger = await startForgingProvider('forged-client', {
    sub: 'f-1',
    email: 'forged@forged.example',
    email_verified: true,
  })
  realSettings = await call(app, city.admin, createSignInProvider, {
    body: {
      name: 'City of Alder',
      issuer: real.issuer,
      client_id: real.clientId,
      client_secret: real.clientSecret,
      email_domains: ['alder.example'],
    },
  })
  forged = await call(app, city.admin, createSignInProvider, {
    body: {
      name: 'Forger',
      issuer: forger.issuer,
      client_id: 'forged-client',
      client_secret: secretOfForger,
      email_domains: ['forged.example'],
      creates_users: true,
    },
  })
})
afterAll(async () => {
  real.close()
  forger.close()
  await app.close()
})
beforeEach(() =>
  Object.assign(forger, {
    document: (honest: unknown) => honest,
    claims: (honest: unknown) => honest,
    otherKey: false,
    alg: 'RS256',
  }),
)

async function signInAtRealProvider(person: string, query: Record<string, string> = {}) {
  const attempt = await start(app, { provider_id: realSettings.id, ...query })
  const back = await signInAtProvider(attempt.to.href, person)
  return { back, begun: attempt, response: await get(app, getPath(back), attempt.cookie) }
}

/** Returns the code of a rejected sign-in, and checks that its id is logged and no session is open. */
function getErrorCode(response: LightMyRequestResponse): string | null {
  const to = new URL(String(response.headers['location']), publicUrl)
  expect([response.statusCode, to.origin, to.pathname]).toEqual([302, publicUrl, '/login'])
  const id = to.searchParams.get('sso_id') ?? ''
  expect(id).toMatch(/^[0-9a-f]{8}$/)
  expect(app.logged.some((line) => line.includes(id))).toBe(true)
  expect(getCookies(response).filter((cookie) => cookie.includes('session_token'))).toEqual([])
  return to.searchParams.get('sso_error')
}

const getMe = (response: LightMyRequestResponse) => get(app, '/v2/users/me', bare(getCookies(response)[0]))
const readUsers = () => app.state.as(systemScope).selectFrom('user').selectAll().execute()

describe('a user of the city', () => {
  it('is redirected to the provider with state, nonce and code challenge', async () => {
    const { to, set } = await start(app, {
      provider_id: realSettings.id,
      login_hint: 'planner@alder.example',
    })
    expect(to.origin).toBe(real.issuer)
    expect(Object.fromEntries(to.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'publicway',
      redirect_uri: `${publicUrl}/api/sso/callback/${city.organizations.alder}`,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      login_hint: 'planner@alder.example',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(set).toMatch(
      /^__Host-publicway\.sso=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  it('signs in by email the first time and by subject afterward, with the usual cookie', async () => {
    real.people.set('p-1', { email: 'Planner@Alder.example', email_verified: true, name: 'Pia Planner' })
    const before = (await readUsers()).length
    const { response } = await signInAtRealProvider('p-1', { origin: '/alder/mobility/geographies?x=1' })
    expect(response.headers['location']).toBe(
      '/oidc/entered?origin=%2Falder%2Fmobility%2Fgeographies%3Fx%3D1',
    )
    expect(getCookies(response)).toHaveLength(1)
    expect(getCookies(response)[0]).toMatch(
      /^__Secure-publicway\.session_token=[^;]{40,}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    const user = (await getMe(response)).json()
    expect(user).toMatchObject({
      email: 'planner@alder.example',
      organizationId: city.organizations.alder,
      providerData: [{ providerId: 'password' }, { providerId: `oidc:${realSettings.id}` }],
    })
    expect((await get(app, '/api/sso/entered', bare(getCookies(response)[0]))).json()).toEqual({
      provider_id: realSettings.id,
      name: 'City of Alder',
      email: 'planner@alder.example',
    })
    // The provider now has another address of this person, with the same subject.
    real.people.set('p-1', { email: 'pia@elsewhere.example', email_verified: false })
    expect((await getMe((await signInAtRealProvider('p-1')).response)).json()).toMatchObject({
      id: user.id,
      email: 'planner@alder.example',
    })
    expect(await readUsers()).toHaveLength(before)
    const audit = await app.state
      .as(systemScope)
      .selectFrom('audit')
      .selectAll()
      .where('user_id', '=', user.id)
      .where('method', '=', 'GET')
      .where('action', '=', 'sign-in')
      .execute()
    expect(audit).toHaveLength(2)
    expect(audit[0]).toMatchObject({
      organization_id: city.organizations.alder,
      user_email: 'planner@alder.example',
      admin_id: null,
      status: 302,
      address: expect.stringMatching(/^10\.3\./),
    })
    const row = (await readUsers()).find(({ id }) => id === user.id)
    expect(row?.lastSignInTime?.getTime()).toBeGreaterThan(Date.now() - 60_000)
  })

  it('is found by issuer, or by the domain of the email', async () => {
    expect((await start(app, { iss: real.issuer })).to.origin).toBe(real.issuer)
    expect((await start(app, { iss: `${real.issuer}/` })).to.origin).toBe(real.issuer)
    // The response is the same whether or not the user exists.
    for (const email of ['viewer@ALDER.example', 'nobody-at-all@alder.example'])
      expect((await start(app, { login_hint: email })).to.origin).toBe(real.issuer)
    expect(await call(app, null, getOidcConfig, { query: { oidc_issuer_url: real.issuer } })).toEqual({
      gidp_provider_id: realSettings.id,
      name: 'City of Alder',
    })
  })

  it('is created only if the provider may, without keys and before accepting the terms', async () => {
    real.people.set('n-1', { email: 'new@alder.example', email_verified: true, name: 'Nora New' })
    expect(getErrorCode((await signInAtRealProvider('n-1')).response)).toBe('SIGN_IN_REFUSED')
    await call(app, city.admin, changeSignInProvider, {
      params: { provider_id: realSettings.id },
      body: { creates_users: true },
    })
    const { response } = await signInAtRealProvider('n-1')
    const user = (await getMe(response)).json()
    expect(user).toMatchObject({
      email: 'new@alder.example',
      name: 'Nora New',
      organizationId: city.organizations.alder,
      acceptedTermsOfService: false,
      mfaRequired: false,
      providerData: [{ providerId: `oidc:${realSettings.id}` }],
    })
    expect((await readUsers()).find(({ id }) => id === user.id)).toMatchObject({
      allRegions: true,
      permissionKeys: '',
      disabled: false,
      emailVerified: true,
    })
    await call(app, city.admin, changeSignInProvider, {
      params: { provider_id: realSettings.id },
      body: { creates_users: false },
    })
    expect((await getMe((await signInAtRealProvider('n-1')).response)).json()).toMatchObject({ id: user.id })
  })

  it('a user of the city in a popup ends at the page that tells the window behind it', async () => {
    const { response } = await signInAtRealProvider('p-1', { mode: 'popup' })
    expect(response.headers['location']).toBe(`/oauth2/login/close#provider_id=${realSettings.id}`)
    expect(response.headers['cross-origin-opener-policy']).toBe('unsafe-none')
    real.people.set('u-1', { email: 'unverified@alder.example' })
    expect((await signInAtRealProvider('u-1', { mode: 'popup' })).response.headers['location']).toMatch(
      /^\/oauth2\/login\/close#sso_error=SIGN_IN_REFUSED&sso_id=[0-9a-f]{8}$/,
    )
  })
})

describe('a sign-in is rejected', () => {
  it.each([
    ['with an email that is not verified', { email: 'viewer@alder.example', email_verified: false }],
    ['with an email of unknown verification', { email: 'viewer@alder.example' }],
    ['without an email', { email_verified: true }],
    ['with an email of another domain', { email: 'viewer@alder.example.evil.example', email_verified: true }],
    ['with an email below the domain', { email: 'viewer@sub.alder.example', email_verified: true }],
    ['as a user of another organization', { email: 'stranger@cedar.example', email_verified: true }],
  ])('%s', async (name, person) => {
    real.people.set(name, person)
    await call(app, city.admin, changeSignInProvider, {
      params: { provider_id: realSettings.id },
      body: { creates_users: true },
    })
    const before = await readUsers()
    expect(getErrorCode((await signInAtRealProvider(name)).response)).toBe('SIGN_IN_REFUSED')
    expect((await readUsers()).map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted())
  })

  it('as a user of another organization, though the provider claims that domain', async () => {
    await call(app, city.admin, changeSignInProvider, {
      params: { provider_id: realSettings.id },
      body: { email_domains: ['alder.example', 'cedar.example'] },
    })
    real.people.set('c-1', { email: 'stranger@cedar.example', email_verified: true })
    expect(getErrorCode((await signInAtRealProvider('c-1')).response)).toBe('SIGN_IN_REFUSED')
    expect(
      await app.state
        .as(systemScope)
        .selectFrom('account')
        .selectAll()
        .where('accountId', '=', 'c-1')
        .execute(),
    ).toEqual([])
    await call(app, city.admin, changeSignInProvider, {
      params: { provider_id: realSettings.id },
      body: { email_domains: ['alder.example'] },
    })
  })

  it('a sign-in is rejected for disabled users, with the same message', async () => {
    await addUser(app, city, 'leaver@alder.example')
    real.people.set('l-1', { email: 'leaver@alder.example', email_verified: true })
    const set = (disabled: boolean) =>
      app.state
        .as(systemScope)
        .updateTable('user')
        .set({ disabled })
        .where('email', '=', 'leaver@alder.example')
        .execute()
    await set(true)
    expect(getErrorCode((await signInAtRealProvider('l-1')).response)).toBe('SIGN_IN_REFUSED')
    await set(false)
    expect((await getMe((await signInAtRealProvider('l-1')).response)).statusCode).toBe(200)
    await set(true)
    expect(getErrorCode((await signInAtRealProvider('l-1')).response)).toBe('SIGN_IN_REFUSED')
  })

  it('a sign-in is rejected if the provider assigned the address of another user', async () => {
    real.people.set('p-2', { email: 'planner@alder.example', email_verified: true })
    expect(getErrorCode((await signInAtRealProvider('p-2')).response)).toBe('SIGN_IN_REFUSED')
  })

  it('a sign-in is rejected if the user declines at the provider', async () => {
    const { to, cookie } = await start(app, { provider_id: realSettings.id, origin: '/alder' })
    const callback = `/api/sso/callback/${city.organizations.alder}?${new URLSearchParams({ error: 'access_denied', state: to.searchParams.get('state') ?? '', iss: real.issuer })}`
    const response = await get(app, callback, cookie)
    expect(getErrorCode(response)).toBe('SIGN_IN_CANCELLED')
    expect(new URL(String(response.headers['location']), publicUrl).searchParams.get('origin')).toBe('/alder')
    expect(getErrorCode(await get(app, callback, cookie))).toBe('ATTEMPT_INVALID')
  })
})

describe('a response of a provider', () => {
  it('is valid once', async () => {
    const { back, begun: attempt } = await signInAtRealProvider('p-1')
    expect(getErrorCode(await get(app, getPath(back), attempt.cookie))).toBe('ATTEMPT_INVALID')
  })

  it('is not valid in another browser or without the cookie, and is then consumed', async () => {
    for (const cookie of [
      undefined,
      `__Host-publicway.sso=${'x'.repeat(43)}`,
      '__Host-publicway.sso=short',
    ]) {
      const attempt = await start(app, { provider_id: realSettings.id, origin: '/alder' })
      const back = await signInAtProvider(attempt.to.href, 'p-1')
      expect(getErrorCode(await get(app, getPath(back), cookie))).toBe('ATTEMPT_INVALID')
      expect(getErrorCode(await get(app, getPath(back), attempt.cookie))).toBe('ATTEMPT_INVALID')
    }
  })

  it('works in two tabs of one browser', async () => {
    const first = await start(app, { provider_id: realSettings.id })
    const two = await start(app, { provider_id: realSettings.id }, first.cookie)
    expect(two.cookie).toBe(first.cookie)
    for (const { to, cookie } of [first, two])
      expect(
        (await getMe(await get(app, getPath(await signInAtProvider(to.href, 'p-1')), cookie))).statusCode,
      ).toBe(200)
  })

  it('is rejected with another state, or none', async () => {
    const attempt = await start(app, { provider_id: realSettings.id })
    const back = new URL(await signInAtProvider(attempt.to.href, 'p-1'))
    for (const state of ['', 'x'.repeat(43), '\u0000']) {
      back.searchParams.set('state', state)
      expect(getErrorCode(await get(app, getPath(back.href), attempt.cookie))).toBe('ATTEMPT_INVALID')
    }
  })

  it('expires after ten minutes', async () => {
    const attempt = await start(app, { provider_id: realSettings.id })
    const back = await signInAtProvider(attempt.to.href, 'p-1')
    await app.state.execute(`update sign_in_attempt set expires_time = now() - interval '1 second'`)
    expect(getErrorCode(await get(app, getPath(back), attempt.cookie))).toBe('ATTEMPT_INVALID')
  })

  it('is rejected with the code of another sign-in, which was made for another browser’s key', async () => {
    const [attacker, victim] = [
      await start(app, { provider_id: realSettings.id }),
      await start(app, { provider_id: realSettings.id }),
    ]
    const stolen = new URL(await signInAtProvider(victim.to.href, 'p-1'))
    stolen.searchParams.set('state', attacker.to.searchParams.get('state') ?? '')
    expect(getErrorCode(await get(app, getPath(stolen.href), attacker.cookie))).toBe('PROVIDER_FAILED')
  })

  it('is rejected for another organization', async () => {
    const { to, cookie } = await start(app, { provider_id: forged.id })
    const query = new URLSearchParams({
      code: to.searchParams.get('nonce') ?? '',
      state: to.searchParams.get('state') ?? '',
    })
    expect(
      getErrorCode(await get(app, `/api/sso/callback/${city.organizations.cedar}?${query}`, cookie)),
    ).toBe('ATTEMPT_INVALID')
  })

  it('is rejected after the provider is switched off', async () => {
    const attempt = await start(app, { provider_id: realSettings.id })
    const back = await signInAtProvider(attempt.to.href, 'p-1')
    await call(app, city.admin, changeSignInProvider, {
      params: { provider_id: realSettings.id },
      body: { enabled: false },
    })
    expect(getErrorCode(await get(app, getPath(back), attempt.cookie))).toBe('ISSUER_UNKNOWN')
    expect(getErrorCode((await start(app, { provider_id: realSettings.id })).response)).toBe('ISSUER_UNKNOWN')
    await call(app, city.admin, changeSignInProvider, {
      params: { provider_id: realSettings.id },
      body: { name: 'City of Alder' },
    })
    expect(getErrorCode((await start(app, { provider_id: realSettings.id })).response)).toBe('ISSUER_UNKNOWN')
    await call(app, city.admin, changeSignInProvider, {
      params: { provider_id: realSettings.id },
      body: { enabled: true },
    })
  })
})

describe('a forged token', () => {
  const now = (): number => Math.floor(Date.now() / 1000)

  it('is distinguished from a valid one, which opens a session', async () => {
    const response = await signInForged(app, forged.id, city.organizations.alder)
    expect((await getMe(response)).json()).toMatchObject({ email: 'forged@forged.example' })
    const form = forger.requests.at(-1)
    expect(form?.get('redirect_uri')).toBe(`${publicUrl}/api/sso/callback/${city.organizations.alder}`)
    expect(form?.get('code_verifier')).toMatch(/^[\w-]{43}$/)
    expect(Buffer.from(forger.headers.at(-1)?.authorization?.slice(6) ?? '', 'base64').toString()).toContain(
      'forged%2Dclient:',
    )
  })

  it.each<[string, (honest: Record<string, unknown>) => Record<string, unknown>]>([
    ['of another nonce', (honest) => ({ ...honest, nonce: 'another' })],
    ['without a nonce', (honest) => ({ ...honest, nonce: undefined })],
    ['for another client', (honest) => ({ ...honest, aud: 'another-client' })],
    [
      'for several clients without naming one',
      (honest) => ({ ...honest, aud: ['forged-client', 'another-client'], azp: 'another-client' }),
    ],
    ['of another issuer', (honest) => ({ ...honest, iss: real.issuer })],
    ['that is over', (honest) => ({ ...honest, exp: now() - 120, iat: now() - 500 })],
    ['of which nothing says when it is over', (honest) => ({ ...honest, exp: undefined })],
    ['of nobody', (honest) => ({ ...honest, sub: undefined })],
  ])('%s is refused', async (_, claims) => {
    forger.claims = claims
    expect(getErrorCode(await signInForged(app, forged.id, city.organizations.alder))).toBe('PROVIDER_FAILED')
  })

  it('is rejected if signed by another key, or by none', async () => {
    forger.otherKey = true
    expect(getErrorCode(await signInForged(app, forged.id, city.organizations.alder))).toBe('PROVIDER_FAILED')
    for (const alg of ['none', 'HS256']) {
      Object.assign(forger, { otherKey: false, alg })
      expect(getErrorCode(await signInForged(app, forged.id, city.organizations.alder))).toBe(
        'PROVIDER_FAILED',
      )
    }
  })

  it('is rejected with an unusual email', async () => {
    for (const email of [
      'forged@forged.example\u0000',
      'two@at@forged.example',
      'a b@forged.example',
      7,
      ['forged2@forged.example'],
      `${'x'.repeat(250)}@forged.example`,
    ]) {
      forger.claims = (honest) => ({ ...honest, sub: 'odd', email })
      expect(getErrorCode(await signInForged(app, forged.id, city.organizations.alder))).toBe(
        'SIGN_IN_REFUSED',
      )
    }
    forger.claims = (honest) => ({
      ...honest,
      sub: 'odd',
      email: 'odd@forged.example',
      email_verified: 'true',
    })
    expect(getErrorCode(await signInForged(app, forged.id, city.organizations.alder))).toBe('SIGN_IN_REFUSED')
  })
})

describe('the redirect after sign-in', () => {
  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/login?origin=/',
    '/api/sso/start?mode=popup',
    '/oidc/login',
    ' //evil.example',
    '/%0d%0aset-cookie:x',
    'evil',
  ])('%j', async (origin) => {
    const { response } = await signInAtRealProvider('p-1', { origin })
    const to = new URL(String(response.headers['location']), publicUrl)
    expect([to.origin, to.pathname]).toEqual([publicUrl, '/oidc/entered'])
    const place = to.searchParams.get('origin') ?? ''
    expect(new URL(place, publicUrl).origin).toBe(publicUrl)
    expect(place === '/' || place.startsWith('/%0d')).toBe(true)
  })

  it('stays on the site with a forged Host header', async () => {
    const response = await request(app, {
      method: 'GET',
      url: `/api/sso/start?provider_id=${realSettings.id}`,
      from: '10.5.0.1',
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
    })
    expect(new URL(String(response.headers['location'])).searchParams.get('redirect_uri')).toBe(
      `${publicUrl}/api/sso/callback/${city.organizations.alder}`,
    )
  })
})

describe('the start of a sign-in', () => {
  it.each([
    ['without anything', {}, 'ISSUER_NOT_PROVIDED'],
    ['with an empty issuer', { iss: ' ' }, 'ISSUER_NOT_PROVIDED'],
    ['with an unknown issuer', { iss: 'https://unknown.example' }, 'ISSUER_UNKNOWN'],
    ['with an unknown provider', { provider_id: 'unknown' }, 'ISSUER_UNKNOWN'],
    ['with an email of an unknown domain', { login_hint: 'a@unknown.example' }, 'DOMAIN_UNKNOWN'],
    ['with text that no store takes', { provider_id: 'a\u0000b' }, 'ISSUER_NOT_PROVIDED'],
  ])('%s gets a code', async (_, query, code) =>
    expect(getErrorCode((await start(app, query as unknown as Record<string, string>)).response)).toBe(code),
  )

  it('requests the configuration and returns the codes of the specification', async () => {
    for (const [oidc_issuer_url, code, status] of [
      [undefined, 'ISSUER_NOT_PROVIDED', 400],
      ['', 'ISSUER_NOT_PROVIDED', 400],
      ['https://unknown.example', 'ISSUER_UNKNOWN', 404],
    ] as const) {
      const problem = readProblem(await send(app, null, getOidcConfig, { query: { oidc_issuer_url } }))
      expect([problem.status, problem.detail.split(':')[0]]).toEqual([status, code])
    }
  })

  it('is limited from one address, and not from another', async () => {
    const address = '10.4.0.1'
    const codes = []
    for (let i = 0; i < 32; i++)
      codes.push(getErrorCode(await get(app, '/api/sso/start', undefined, address)))
    expect(codes.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 'ISSUER_NOT_PROVIDED'))
    expect(codes.slice(30)).toEqual(['TOO_MANY_ATTEMPTS', 'TOO_MANY_ATTEMPTS'])
    for (let i = 0; i < 30; i++)
      await get(app, `/api/sso/callback/${city.organizations.alder}`, undefined, address)
    expect(
      getErrorCode(await get(app, `/api/sso/callback/${city.organizations.alder}`, undefined, address)),
    ).toBe('TOO_MANY_ATTEMPTS')
    expect(getErrorCode(await get(app, '/api/sso/start'))).toBe('ISSUER_NOT_PROVIDED')
  })

  it('returns the provider only in a session of single sign-on', async () => {
    expect(readProblem(await get(app, '/api/sso/entered')).status).toBe(401)
    expect(
      readProblem(
        await request(app, {
          method: 'GET',
          url: '/api/sso/entered',
          headers: { authorization: `Bearer ${city.stranger.token}` },
        }),
      ).status,
    ).toBe(404)
  })
})

describe('secrets of sign-in providers', () => {
  it('are in no response and no log, and not readable in the store', async () => {
    const listed = await send(app, city.admin, listSignInProviders)
    const changed = await send(app, city.admin, changeSignInProvider, {
      params: { provider_id: forged.id },
      body: { client_secret: secretOfForger },
    })
    expect(changed.json()).toMatchObject({ hasSecret: true })
    await start(app, { provider_id: forged.id })
    const { rows: providers } = await app.state.execute('select * from sign_in_provider')
    const { rows: attempts } = await app.state.execute('select * from sign_in_attempt')
    expect(attempts.length).toBeGreaterThan(0)
    for (const text of [
      listed.body,
      changed.body,
      JSON.stringify(providers),
      JSON.stringify(attempts),
      ...app.logged,
    ]) {
      expect(text).not.toContain(secretOfForger)
      expect(text).not.toContain(real.clientSecret)
    }
    const secrets = [
      ...forger.requests.flatMap((form) => [form.get('code'), form.get('code_verifier')]),
      'an-access-token',
      'eyJ',
    ].filter((part): part is string => Boolean(part))
    expect(secrets.length).toBeGreaterThan(10)
    for (const line of app.logged) for (const part of secrets) expect(line).not.toContain(part)
    expect(JSON.stringify(attempts)).not.toMatch(/nonce|verifier|place/)
  })

  it('are not needed to find an attempt, which is found by its state only', async () => {
    const { to } = await start(app, { provider_id: forged.id })
    const { rows } = await app.state.execute('select * from sign_in_attempt')
    expect(JSON.stringify(rows)).not.toContain(to.searchParams.get('state'))
    expect(JSON.stringify(rows)).not.toContain(to.searchParams.get('nonce'))
  })
})

describe('a server without private addresses', () => {
  it('adds no provider within the network, and does not call an existing one', async () => {
    const dataDir = app.dataDir
    await app.stop()
    app = await openTestApp(dataDir, { PUBLIC_URL: publicUrl })
    const before = forger.requests.length
    for (const issuer of [
      'https://127.0.0.1:8443',
      'https://localhost',
      'https://169.254.169.254',
      'https://[::ffff:10.0.0.1]',
      forger.issuer,
    ]) {
      const problem = readProblem(
        await send(app, city.admin, createSignInProvider, {
          body: { name: 'Inside', issuer, client_id: 'x', email_domains: ['inside.example'] },
        }),
      )
      expect([problem.status, problem.issues?.[0]?.path]).toEqual([422, 'body.issuer'])
    }
    expect(getErrorCode((await start(app, { provider_id: forged.id })).response)).toBe('PROVIDER_FAILED')
    expect(forger.requests.length).toBe(before)
  })
})
