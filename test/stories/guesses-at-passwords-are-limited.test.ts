import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { reachablePaths } from '#server/identity/serve-auth.ts'
import { systemScope } from '#server/identity/scope.ts'
import { openTestApp, request, type TestApp } from '../app.ts'
import { makePeople, password, type TestCity, addUser } from '../city.ts'
import { fixtureGuess } from '../password.ts'
import { getError, Visitor } from '../visitor.ts'

let app: TestApp
let city: TestCity
beforeAll(async () => {
  app = await openTestApp()
  city = await makePeople(app)
})
afterAll(() => app.close())
afterEach(() => void vi.useRealTimers())

let number = 0
const createTarget = async (disabled = false, secret = password): Promise<string> => {
  const email = `target${++number}@alder.example`
  const id = await addUser(app, city, email, [], secret)
  if (disabled)
    await app.state.as(systemScope).updateTable('user').set({ disabled: true }).where('id', '=', id).execute()
  return email
}
/** Tries a password repeatedly, each time from a new address, so that only the limit of the account applies. */
const tryPassword = async (email: string, secret: string, times = 1) => {
  const errors: [number, string | null][] = []
  for (let i = 0; i < times; i++) errors.push(getError(await new Visitor(app).signIn(email, secret)))
  return errors
}
const refused = [401, 'INVALID_EMAIL_OR_PASSWORD']
const tooMany = [429, 'TOO_MANY_ATTEMPTS']
const repeatFive = <T>(value: T): T[] => Array.from({ length: 5 }, () => value)

describe('guessing a password', () => {
  const retryAfter = async (
    email: string,
    secret = fixtureGuess,
    visitor = new Visitor(app),
  ): Promise<number> => {
    const response = await visitor.signIn(email, secret)
    return response.statusCode === 429 ? Number(response.headers['retry-after']) : 0
  }
  const wait = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000)

  it('doubles the delay after each guess, for any client and whether the account exists or not', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const email = await createTarget()
    for (const address of [email, 'nobody-at-all@alder.example']) {
      expect(await tryPassword(address, fixtureGuess, 7)).toEqual([...repeatFive(refused), tooMany, tooMany])
      const waits: number[] = []
      for (let guess = 0; guess < 10; guess++) {
        const seconds = await retryAfter(address.toUpperCase())
        waits.push(seconds)
        wait(seconds - 1)
        expect(await retryAfter(address)).toBe(1)
        wait(1)
        expect(await tryPassword(address, fixtureGuess)).toEqual([refused])
      }
      expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
    }
    const { rows } = await app.state.execute('select email_hash from sign_in_failure')
    expect(JSON.stringify(rows)).not.toContain('@')
    const listActs = async () =>
      (
        await app.state
          .as(systemScope)
          .selectFrom('audit')
          .select(['action', 'status'])
          .where('user_email', '=', email)
          .execute()
      ).map(({ action, status }) => `${action} ${status}`)
    await vi.waitFor(async () => expect(await listActs()).toEqual(Array(15).fill('sign-in refused 401')))
  })

  it('has no more tries with concurrent guesses', async () => {
    const email = await createTarget()
    const codes = (await Promise.all(Array.from({ length: 25 }, () => tryPassword(email, fixtureGuess)))).map(
      ([error]) => error?.[0],
    )
    expect(codes.filter((code) => code === 401)).toHaveLength(5)
    expect(codes.filter((code) => code === 429)).toHaveLength(20)
  })

  it('counts consecutive failures only: a correct password or a day resets the count', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const email = await createTarget()
    for (let round = 0; round < 3; round++) {
      expect(await tryPassword(email, fixtureGuess, 4)).toEqual(repeatFive(refused).slice(1))
      expect((await tryPassword(email, password))[0]?.[0]).toBe(200)
    }
    expect(await tryPassword(email, fixtureGuess, 6)).toEqual([...repeatFive(refused), tooMany])
    wait(24 * 3600 + 1)
    expect(await tryPassword(email, fixtureGuess, 6)).toEqual([...repeatFive(refused), tooMany])
  })

  it('blocks neither known devices nor users who reset their password', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const email = await createTarget()
    const [known, reset] = [new Visitor(app), new Visitor(app)]
    await known.signIn(email, password)
    await known.auth('/sign-out')
    const siege = async (): Promise<void> => {
      for (let guess = 0; guess < 11; guess++) wait(await retryAfter(email))
      expect(await retryAfter(email)).toBeGreaterThan(0)
    }
    await siege()
    expect(await tryPassword(email, password)).toEqual([tooMany])
    expect((await known.signIn(email, password)).statusCode).toBe(200)
    expect(await tryPassword(email, password)).toEqual([tooMany])

    await reset.auth('/request-password-reset', { email })
    const link = await vi.waitFor(
      () =>
        app.mails.find(({ to, text }) => to === email && text.includes('token='))?.text ??
        Promise.reject(new Error('no mail yet')),
    )
    const token = /token=([\w-]+)/.exec(link)?.[1]
    expect((await reset.auth('/reset-password', { token, newPassword: `${password} new` })).statusCode).toBe(
      200,
    )
    await siege()
    expect((await reset.signIn(email, `${password} new`)).statusCode).toBe(200)

    // A device is known for its own account only and has its own delays; a forged one is unknown.
    const other = await createTarget()
    for (let guess = 0; guess < 5; guess++) await new Visitor(app).signIn(other, fixtureGuess)
    expect(await retryAfter(other, password, known)).toBe(5)
    for (let guess = 0; guess < 5; guess++) expect(await retryAfter(email, fixtureGuess, known)).toBe(0)
    expect(await retryAfter(email, fixtureGuess, known)).toBe(5)
    const forger = new Visitor(app)
    for (const [name, value] of known.cookies)
      forger.cookies.set(
        name,
        value.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')),
      )
    expect(await retryAfter(email, password, forger)).toBeGreaterThan(0)
  })

  it('is slowed down for many accounts from one address', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const here = new Visitor(app)
    const waits: number[] = []
    for (let guess = 0; guess < 24; guess++) {
      waits.push(await retryAfter(`guess${guess}@alder.example`, fixtureGuess, here))
      // After the ten calls a minute that one address may make in total.
      wait(guess < 20 ? 10 : 0)
    }
    expect(waits.slice(0, 20)).toEqual(Array(20).fill(0))
    expect(waits.slice(-3).every((seconds) => seconds > 0)).toBe(true)
  })

  it('returns the seconds until an address may retry', async () => {
    const visitor = new Visitor(app)
    const responses = []
    for (let call = 0; call < 11; call++)
      responses.push(await visitor.signIn(`calls${call}@alder.example`, password))
    const seconds = Number(responses.at(-1)?.headers['retry-after'])
    expect([responses.at(-1)?.statusCode, seconds > 0 && seconds <= 60]).toEqual([429, true])
  })

  it('is limited by address at the second factor too', async () => {
    for (const [path, body, most] of [
      ['/reset-password', { token: 'x', newPassword: password }, 10],
      ['/two-factor/verify-totp', { code: '1' }, 15],
      ['/two-factor/verify-backup-code', { code: '1' }, 15],
      ['/two-factor/send-otp', {}, 5],
      ['/multi-factor/phone/start', { phoneNumber: '1' }, 5],
      ['/multi-factor/totp/finish', { code: '1' }, 15],
      ['/change-password', { currentPassword: 'x', newPassword: 'y' }, 10],
    ] as const) {
      const visitor = new Visitor(app)
      const codes: number[] = []
      for (let i = 0; i <= most; i++) codes.push((await visitor.auth(path, body)).statusCode)
      expect([path, codes.indexOf(429)]).toEqual([path, most])
    }
  })
})

describe('a failed sign-in', () => {
  it('has the same message for an unknown email, a wrong password and a disabled account', async () => {
    const [known, disabled] = [await createTarget(), await createTarget(true)]
    const responses = []
    for (const [email, secret] of [
      [known, fixtureGuess],
      ['nobody@nowhere.example', password],
      [disabled, password],
      [disabled, fixtureGuess],
    ] as const)
      responses.push(await new Visitor(app).signIn(email, secret))
    for (const response of responses) {
      const { id, ...body } = response.json<{ id: string }>()
      expect([response.statusCode, body, id.length]).toEqual([
        401,
        { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'The e-mail or the password is wrong.' },
        8,
      ])
      expect(Object.keys(response.headers).toSorted()).toEqual(
        Object.keys(responses[0]?.headers ?? {}).toSorted(),
      )
      expect(response.headers['set-cookie']).toBeUndefined()
    }
  })

  it('takes about the same time in all cases', async () => {
    // Neither the city's password nor its guess, because those are hashed at lower cost.
    const own = 'a password that nobody else has'
    const known = await Promise.all([
      createTarget(false, own),
      createTarget(false, own),
      createTarget(false, own),
    ])
    const disabled = await Promise.all([
      createTarget(true, own),
      createTarget(true, own),
      createTarget(true, own),
    ])
    const times: Record<string, number[]> = { known: [], unknown: [], disabled: [] }
    const measureTime = async (kind: string, email: string, secret: string): Promise<void> => {
      const start = performance.now()
      await new Visitor(app).signIn(email, secret)
      times[kind]?.push(performance.now() - start)
    }
    // In turns, so that other load of the machine affects all alike.
    for (let i = 0; i < 6; i++) {
      await measureTime('known', known[i % 3] ?? '', 'a guess that nobody else makes')
      await measureTime('unknown', `nobody-${i % 3}@nowhere.example`, 'a guess that nobody else makes')
      await measureTime('disabled', disabled[i % 3] ?? '', own)
    }
    // The fastest call of each, because other load only adds time.
    const getMinTime = (kind: string): number => Math.min(...(times[kind] ?? []))
    // Without hashing a call would take a tenth of the time.
    for (const kind of ['unknown', 'disabled']) {
      expect(getMinTime(kind) / getMinTime('known')).toBeGreaterThan(0.2)
      expect(getMinTime(kind) / getMinTime('known')).toBeLessThan(5)
    }
  })
})

describe('a session', () => {
  it('is never one that the client provided', async () => {
    const email = await createTarget()
    const fixed = new Visitor(app)
    await fixed.signIn(email, password)
    const [before] = fixed.cookies.values()
    const victim = new Visitor(app)
    victim.cookies.set('publicway.session_token', before ?? '')
    await victim.signIn(email, password)
    expect(victim.cookies.get('publicway.session_token')).not.toBe(before)
    const made = new Visitor(app)
    made.cookies.set('publicway.session_token', 'chosen.by-somebody')
    await made.signIn(email, password)
    expect(made.cookies.get('publicway.session_token')).not.toContain('chosen')
  })

  it('ends at sign-out for good, by cookie and by token', async () => {
    const email = await createTarget()
    const visitor = new Visitor(app)
    const token = String((await visitor.signIn(email, password)).headers['set-auth-token'])
    const stolen = new Visitor(app)
    for (const [name, value] of visitor.cookies) stolen.cookies.set(name, value)
    expect(await stolen.isIn()).toBe(true)
    expect((await visitor.auth('/sign-out')).statusCode).toBe(200)
    expect([...visitor.cookies.keys()].filter((name) => !name.includes('device'))).toEqual([])
    const byToken = () =>
      request(app, { method: 'GET', url: '/v2/users/me', headers: { authorization: `Bearer ${token}` } })
    expect([await stolen.isIn(), (await byToken()).statusCode]).toEqual([false, 401])
    for (const path of ['/change-password', '/multi-factor/totp/start', '/revoke-other-sessions'])
      expect(
        (await stolen.auth(path, { currentPassword: password, newPassword: 'a long password' })).statusCode,
      ).toBe(401)

    const program = String((await new Visitor(app).signIn(email, password)).headers['set-auth-token'])
    const out = await request(app, {
      method: 'POST',
      url: '/api/auth/sign-out',
      headers: { authorization: `Bearer ${program}` },
    })
    expect([
      out.statusCode,
      (
        await request(app, {
          method: 'GET',
          url: '/v2/users/me',
          headers: { authorization: `Bearer ${program}` },
        })
      ).statusCode,
    ]).toEqual([200, 401])
    const acts = await app.state
      .as(systemScope)
      .selectFrom('audit')
      .select('action')
      .where('user_email', '=', email)
      .orderBy('audit_id')
      .execute()
    expect(acts.map(({ action }) => action)).toEqual(['sign-in', 'sign-out', 'sign-in', 'sign-out'])
  })

  it('cannot be used with the value in the store', async () => {
    const { rows } = await app.state.execute('select token from session limit 1')
    const { token } = rows[0] as { token: string }
    const bare: Record<string, string>[] = [
      { authorization: `Bearer ${token}` },
      { cookie: `publicway.session_token=${token}` },
      { authorization: `Bearer ${token}.` },
    ]
    for (const headers of bare)
      expect((await request(app, { method: 'GET', url: '/v2/users/me', headers })).statusCode).toBe(401)
  })

  it('does not permit credential calls of a disabled user', async () => {
    const email = await createTarget()
    const visitor = new Visitor(app)
    await visitor.signIn(email, password)
    await app.state
      .as(systemScope)
      .updateTable('user')
      .set({ disabled: true })
      .where('email', '=', email)
      .execute()
    const paths = Object.entries(reachablePaths).filter(([, { requiresSession }]) => requiresSession)
    expect(paths.length).toBeGreaterThan(8)
    for (const [path, { method }] of paths) {
      const response =
        method === 'GET'
          ? await visitor.get(`/api/auth${path}`)
          : await visitor.auth(path, { currentPassword: password, newPassword: 'a long password' })
      expect([path, response.statusCode]).toEqual([path, 401])
    }
  })

  it('lists the user’s other sessions, which can be ended', async () => {
    const email = await createTarget()
    const [here, there, third] = [new Visitor(app), new Visitor(app), new Visitor(app)]
    for (const visitor of [here, there, third]) await visitor.signIn(email, password)
    const mine = (await here.get('/api/auth/get-session')).json().session.token
    const list = (await here.get('/api/auth/list-sessions')).json<{ token: string; ipAddress: string }[]>()
    expect(list.map(({ ipAddress }) => ipAddress).toSorted()).toEqual(
      [here.from, there.from, third.from].toSorted(),
    )
    const other = list.find(({ ipAddress }) => ipAddress === there.from)?.token
    expect((await new Visitor(app).auth('/revoke-session', { token: mine })).statusCode).toBe(401)
    await here.auth('/revoke-session', { token: other })
    expect([await here.isIn(), await there.isIn(), await third.isIn()]).toEqual([true, false, true])
    await here.auth('/revoke-other-sessions')
    expect([await here.isIn(), await third.isIn()]).toEqual([true, false])
  })

  it('cannot be ended by ID by another user', async () => {
    const [first, second] = [new Visitor(app), new Visitor(app)]
    await first.signIn(await createTarget(), password)
    await second.signIn(await createTarget(), password)
    await second.auth('/revoke-session', {
      token: (await first.get('/api/auth/get-session')).json().session.token,
    })
    expect(await first.isIn()).toBe(true)
  })
})

describe('a page of another site', () => {
  const elsewhere = { origin: 'https://elsewhere.example' }

  it('cannot make changes as the signed-in user', async () => {
    const visitor = new Visitor(app)
    await visitor.signIn('admin@alder.example', password)
    const change = (headers: Record<string, string>, url = '/v2/users/me') =>
      request(app, {
        method: 'PATCH',
        url,
        body: { name: 'Changed' },
        headers: { host: 'streets.example', cookie: visitor.cookie, ...headers },
      })
    for (const headers of [
      elsewhere,
      { origin: 'null' },
      { origin: 'https://streets.example.elsewhere.example' },
      { origin: 'http://streets.example', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'cross-site' },
      { ...elsewhere, authorization: 'Basic eDp5' },
    ]) {
      const response = await change(headers as Record<string, string>)
      expect([response.statusCode, response.json().code]).toEqual([403, 'forbidden'])
    }
    // A forged token does not help, because the cookie is then ignored.
    expect((await change({ ...elsewhere, authorization: 'Bearer made.up' })).statusCode).toBe(401)
    expect((await visitor.get('/v2/users/me')).json().name).not.toBe('Changed')
    for (const headers of [
      { origin: 'http://streets.example' },
      { origin: 'https://streets.example', 'sec-fetch-site': 'same-origin' },
      {},
    ])
      expect((await change(headers as Record<string, string>)).statusCode).toBe(200)
    expect(
      (
        await request(app, {
          method: 'PATCH',
          url: '/v2/users/me',
          body: { name: 'By a program' },
          headers: { ...elsewhere, authorization: `Bearer ${city.admin.token}` },
        })
      ).statusCode,
    ).toBe(200)
  })

  it('cannot reach any changing call under any prefix', async () => {
    const visitor = new Visitor(app)
    await visitor.signIn('admin@alder.example', password)
    for (const [name, endpoint] of endpoints)
      for (const prefix of endpoint.prefixes) {
        if (endpoint.permission === 'public' || endpoint.method === 'GET') continue
        const url = prefix + endpoint.path.replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')
        const response = await request(app, {
          method: endpoint.method,
          url,
          body: {},
          headers: { host: 'streets.example', cookie: visitor.cookie, ...elsewhere },
        })
        expect([name, prefix, response.statusCode]).toEqual([
          name,
          prefix,
          prefix === '/external' ? 401 : 403,
        ])
      }
  })

  it('cannot make credential calls or sign a user in as somebody else', async () => {
    const visitor = new Visitor(app)
    await visitor.signIn(await createTarget(), password)
    for (const path of Object.keys(reachablePaths).filter(
      (path) => reachablePaths[path]?.method === 'POST',
    )) {
      expect([path, (await visitor.auth(path, {}, elsewhere)).statusCode]).toEqual([path, 403])
    }
    expect(
      (
        await new Visitor(app).auth(
          '/sign-in/email',
          { email: 'viewer@alder.example', password },
          { ...elsewhere, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
        )
      ).statusCode,
    ).toBe(403)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream']) {
      const form = await app.http.inject({
        method: 'POST',
        url: '/api/auth/sign-in/email',
        headers: { 'content-type': type },
        payload: JSON.stringify({ email: 'viewer@alder.example', password }),
        remoteAddress: '10.9.9.1',
      })
      expect([type, form.statusCode >= 400 && form.statusCode < 500, form.headers['set-cookie']]).toEqual([
        type,
        true,
        undefined,
      ])
    }
    expect(await visitor.isIn()).toBe(true)
  })
})

describe('the calls below /api/auth', () => {
  const listLibraryRoutes = () =>
    Object.values(
      app.auth.api as unknown as Record<string, { path?: string; options?: { method?: string | string[] } }>,
    ).flatMap(({ path, options }) =>
      path ? [options?.method ?? 'POST'].flat().map((method) => ({ path, method })) : [],
    )

  it('are the listed ones', () => {
    expect(
      Object.entries(reachablePaths)
        .map(([path, { method }]) => `${method} ${path}`)
        .toSorted(),
    ).toEqual([
      'GET /get-session',
      'GET /list-sessions',
      'POST /change-password',
      'POST /multi-factor/phone/finish',
      'POST /multi-factor/phone/start',
      'POST /multi-factor/recovery-codes',
      'POST /multi-factor/totp/finish',
      'POST /multi-factor/totp/start',
      'POST /multi-factor/unenrol',
      'POST /request-password-reset',
      'POST /reset-password',
      'POST /revoke-other-sessions',
      'POST /revoke-session',
      'POST /sign-in/email',
      'POST /sign-out',
      'POST /two-factor/send-otp',
      'POST /two-factor/verify-backup-code',
      'POST /two-factor/verify-otp',
      'POST /two-factor/verify-totp',
    ])
  })

  it('do not respond if they are of the library and not listed, even to an administrator', async () => {
    const visitor = new Visitor(app)
    await visitor.signIn('admin@alder.example', password)
    const known = listLibraryRoutes()
    // The library has such calls, otherwise this test would be empty.
    for (const path of [
      '/sign-up/email',
      '/update-user',
      '/delete-user',
      '/change-email',
      '/two-factor/enable',
      '/two-factor/disable',
      '/two-factor/get-totp-uri',
      '/link-social',
      '/get-access-token',
      '/revoke-sessions',
    ])
      expect(known.map((route) => route.path)).toContain(path)
    for (const { path, method } of known) {
      if (reachablePaths[path]?.method === method) continue
      for (const url of [path, `${path}/`, `/.${path}`, `/${path}`]) {
        const response =
          method === 'GET'
            ? await visitor.get(`/api/auth${url}`)
            : await visitor.auth(url, { name: 'x', password, currentPassword: password, method: 'otp' })
        expect([method, url, response.statusCode]).toEqual([method, url, 404])
      }
    }
    expect(
      (await visitor.get('/api/auth/reset-password/sometoken?callbackURL=https://elsewhere.example'))
        .statusCode,
    ).toBe(404)
    expect((await visitor.auth('/two-factor%2Fenable', { password, method: 'otp' })).statusCode).toBe(404)
  })

  it('the calls below /api/auth all exist', () => {
    const known = listLibraryRoutes().map(({ method, path }) => `${method} ${path}`)
    for (const [path, { method }] of Object.entries(reachablePaths))
      expect(known).toContain(`${method} ${path}`)
  })

  it('reject long bodies', async () => {
    expect((await new Visitor(app).signIn('admin@alder.example', 'x'.repeat(20_000))).statusCode).toBe(413)
  })
})
