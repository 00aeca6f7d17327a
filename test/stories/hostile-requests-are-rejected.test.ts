import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import {
  changePermissionsOn,
  changeUser,
  getOnboardingLink,
  inviteUser,
  listUsers,
  renewInvitation,
} from '#contract/users.ts'
import { systemScope } from '#server/identity/scope.ts'
import { getStep, computeTotpCode } from '#server/identity/second-factor/totp.ts'
import { call, openTestApp, readProblem, request, send, type TestApp } from '../app.ts'
import { makeRegions, password, type TestCity, addUser } from '../city.ts'
import { getError, Visitor } from '../visitor.ts'

let app: TestApp
let city: TestCity
beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
})
afterAll(() => app.close())

const makeBearer = () => ({ authorization: `Bearer ${city.admin.token}` })
const deep = '['.repeat(200_000) + ']'.repeat(200_000)
const json = { 'content-type': 'application/json' }
const post = (url: string, payload: string | Buffer, headers: Record<string, string> = {}) =>
  app.http.inject({
    method: 'POST',
    url,
    payload,
    headers: { ...json, ...headers },
    remoteAddress: '10.8.0.1',
  })

describe('an invalid request', () => {
  it('is rejected with a client error, never a server error', async () => {
    const responses = {
      'a token that no header can hold': await post(
        '/apipy/layers/list',
        '{"token":"\u20ac","region_id":"alder"}',
      ),
      'a token with a line end': await post('/apipy/layers/list', '{"token":"a\\nb","region_id":"alder"}'),
      'another user with a line end': await post(
        '/apipy/layers/list',
        JSON.stringify({ token: city.admin.token, impersonated_user: 'a\r\nb', region_id: 'alder' }),
      ),
      'bytes in place of JSON': await post('/v2/users', Buffer.from('x'), {
        ...makeBearer(),
        'content-type': 'application/octet-stream',
      }),
      'bytes as legacy fields': await post('/apipy/layers/list', Buffer.from('x'), {
        ...makeBearer(),
        'content-type': 'application/octet-stream',
      }),
      'a text in place of JSON': await post('/v2/users', '{}', {
        ...makeBearer(),
        'content-type': 'text/plain',
      }),
      'a body without a bottom': await post('/v2/users', `{"name":${deep}}`, makeBearer()),
      'a day before all days': await request(app, {
        method: 'GET',
        url: '/v2/audit?start_date=0000-01-01',
        headers: makeBearer(),
      }),
      'a day after all days': await request(app, {
        method: 'GET',
        url: '/v2/audit?end_date=9999-12-31',
        headers: makeBearer(),
      }),
      'a name of two lines': await request(app, {
        method: 'PATCH',
        url: '/v2/users/me',
        headers: makeBearer(),
        body: { name: 'A\r\nBcc: b@c.example' },
      }),
    }
    expect(
      Object.fromEntries(
        Object.entries(responses).map(([what, response]) => [what, readProblem(response).status]),
      ),
    ).toEqual({
      'a token that no header can hold': 403,
      'a token with a line end': 403,
      'another user with a line end': 403,
      'bytes in place of JSON': 422,
      'bytes as legacy fields': 422,
      'a text in place of JSON': 422,
      'a body without a bottom': 422,
      'a day before all days': 422,
      'a day after all days': 422,
      'a name of two lines': 422,
    })
    for (const response of Object.values(responses))
      expect(response.headers['cache-control']).toBe('no-store')
    expect(
      (await post('/apipy/health', Buffer.from('x'), { 'content-type': 'application/octet-stream' }))
        .statusCode,
    ).toBe(200)
  })

  it('is rejected by the credential calls too', async () => {
    for (const host of ['[', 'a b', '%', 'x:99999', ''])
      expect([
        host,
        (
          await request(app, {
            method: 'POST',
            url: '/api/auth/sign-in/email',
            body: { email: 'x@alder.example', password },
            headers: { host },
            from: `10.8.1.${host.length}`,
          })
        ).statusCode,
      ]).toEqual([host, 401])
    expect(
      readProblem(
        await post('/api/auth/reset-password', '{"token":"\\u0000","newPassword":"a long password"}'),
      ).status,
    ).toBe(400)
    expect(
      readProblem(await post('/api/auth/sign-in/email', `{"email":${'['.repeat(7000)}${']'.repeat(7000)}}`))
        .status,
    ).toBe(422)
    expect(
      readProblem(await post('/api/auth/revoke-session', '{"token":"\\u0000"}', makeBearer())).status,
    ).toBe(400)
    expect(app.logged.filter((line) => line.includes('"error"'))).toEqual([])
  })
})

describe('a client that disconnects', () => {
  it('leaves its changes in the audit log', async () => {
    const port = Number(new URL(await app.http.listen({ port: 0, host: '127.0.0.1' })).port)
    const { items } = await call(app, city.admin, listUsers, { query: { search: 'viewer' } })
    const [viewer] = items
    for (let i = 0; i < 5; i++) {
      const body = JSON.stringify({ name: `Gone ${i}` })
      const socket = connect(port, '127.0.0.1')
      // The client disconnects after its body is read and before the change, so that no response can be sent.
      app.http.server.once('request', (incoming) => incoming.once('end', () => socket.resetAndDestroy()))
      socket.write(
        `PATCH /v2/users/${viewer?.id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${city.admin.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
      await vi.waitFor(
        async () =>
          expect(
            (await call(app, city.admin, listUsers, { query: { search: 'viewer' } })).items[0]?.name,
          ).toBe(`Gone ${i}`),
        { timeout: 10_000 },
      )
    }
    const listActs = () =>
      app.state
        .as(systemScope)
        .selectFrom('audit')
        .select('status')
        .where('path', '=', `/v2/users/${viewer?.id}`)
        .execute()
    await vi.waitFor(
      async () => expect(await listActs()).toEqual(Array.from({ length: 5 }, () => ({ status: 200 }))),
      { timeout: 10_000 },
    )
  })
})

describe('a client’s address', () => {
  it('is not taken from the client’s headers, even on this machine; a log line says why', async () => {
    const codes: number[] = []
    for (let i = 0; i < 12; i++)
      codes.push(
        (
          await request(app, {
            method: 'POST',
            url: '/api/auth/sign-in/email',
            body: { email: `spray-${i}@alder.example`, password },
            from: '127.0.0.1',
            headers: {
              'x-forwarded-for': `10.7.0.${i}`,
              'x-real-ip': `10.7.1.${i}`,
              forwarded: `for=10.7.2.${i}`,
            },
          })
        ).statusCode,
      )
    expect(codes.slice(-3)).toEqual([401, 429, 429])
    expect(app.logged.filter((line) => line.includes('TRUSTED_PROXIES'))).toHaveLength(1)
  })
})

describe('guesses at a second factor', () => {
  it('are limited to ten, even if they are concurrent', async () => {
    const email = 'guessed@alder.example'
    const userId = await addUser(app, city, email)
    const owner = new Visitor(app)
    await owner.signIn(email, password)
    const { uri } = (await owner.auth('/multi-factor/totp/start')).json<{ uri: string }>()
    const key = Buffer.from(
      (new URL(uri).searchParams.get('secret') ?? '')
        .replace(/./g, (letter) =>
          'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
        )
        .match(/.{8}/g)
        ?.map((bits) => Number.parseInt(bits, 2)) ?? [],
    ).toString()
    expect(
      (await owner.auth('/multi-factor/totp/finish', { code: computeTotpCode(key, getStep(new Date())) }))
        .statusCode,
    ).toBe(200)
    const challenged: Visitor[] = []
    for (let i = 0; i < 16; i++) {
      const visitor = new Visitor(app)
      await visitor.signIn(email, password)
      challenged.push(visitor)
    }
    const right = [-1, 0, 1, 2].map((off) => computeTotpCode(key, getStep(new Date()) + off))
    const wrong = ['000000', '111111', '222222', '333333', '444444'].find((code) => !right.includes(code))
    const responses = (
      await Promise.all(challenged.map((visitor) => visitor.auth('/two-factor/verify-totp', { code: wrong })))
    ).map((response) => getError(response)[1])
    expect([
      responses.filter((code) => code === 'INVALID_CODE').length,
      responses.filter((code) => code === 'TOO_MANY_ATTEMPTS').length,
    ]).toEqual([10, 6])
    expect(
      await app.state
        .as(systemScope)
        .selectFrom('session')
        .select('id')
        .where('userId', '=', userId)
        .execute(),
    ).toHaveLength(1)
  })
})

describe('password links', () => {
  const readToken = async (link: string): Promise<string> =>
    new URL(
      (
        await call(app, null, getOnboardingLink, {
          params: { onboarding_uuid: link.split('/').at(-1) ?? '' },
        })
      ).link,
    ).searchParams.get('token') ?? ''
  const choose = async (token: string) =>
    getError(
      await new Visitor(app).auth('/reset-password', { token, newPassword: 'somebody else has chosen' }),
    )

  it('end with the invitation that led to them, and with the account', async () => {
    const { user, onboarding_link } = await call(app, city.admin, inviteUser, {
      body: { email: 'twice@alder.example', name: 'Twice' },
    })
    const before = await readToken(onboarding_link)
    const { onboarding_link: again } = await call(app, city.admin, renewInvitation, {
      params: { user_id: user.id },
    })
    expect(await choose(before)).toEqual([400, 'INVALID_TOKEN'])
    const late = await readToken(again)
    for (const disabled of [true, false])
      await call(app, city.admin, changeUser, { params: { user_id: user.id }, body: { disabled } })
    expect(await choose(late)).toEqual([400, 'INVALID_TOKEN'])
    expect((await choose(await readToken(again)))[0]).toBe(200)
  })

  it('are not sent if the invitation is rejected', async () => {
    const invite = {
      email: 'half@alder.example',
      name: 'Half',
      role_ids: ['00000000-0000-4000-8000-000000000000'],
    }
    expect(readProblem(await send(app, city.admin, inviteUser, { body: invite })).status).toBe(422)
    expect((await call(app, city.admin, listUsers, { query: { search: 'half@' } })).total).toBe(0)
  })
})

test('an invited user does not count as the last administrator', async () => {
  const { user } = await call(app, city.stranger, inviteUser, {
    body: { email: 'never@cedar.example', name: 'Never' },
  })
  await call(app, city.stranger, changePermissionsOn, {
    params: { obj_type: 'user', obj_id: user.id },
    body: { permissions: [{ key: 'is_admin', enabled: true }] },
  })
  const { items } = await call(app, city.stranger, listUsers, { query: { search: 'stranger' } })
  const giveUp = () =>
    send(app, city.stranger, changePermissionsOn, {
      params: { obj_type: 'user', obj_id: items[0]?.id ?? '' },
      body: { permissions: [{ key: 'is_admin', enabled: false }] },
    })
  expect(readProblem(await giveUp()).status).toBe(409)
  expect((await call(app, city.stranger, listUsers, {})).total).toBe(2)
})
