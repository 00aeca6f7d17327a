import { connect } from 'node:net'
import { Readable } from 'node:stream'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { FactError } from '#server/stores/engine.ts'
import type { Scope } from '#server/stores/scope.ts'
import { installErrorHandler, toProblemBody } from './errors.ts'
import { boundJsonBodies, dropRefusedBodies, unknownCallerBodyBytes } from './request-body.ts'
import { Problem } from './problem.ts'
import { RawResponse, route } from './route.ts'
import { apiVersion, type CompletedRequest, serveEndpoints } from './serve.ts'
import type { Viewer } from './viewer.ts'

const summary = 'For tests'
const echo = endpoint({
  route: 'POST /things/{id}',
  prefixes: ['/v2', '/apipy'],
  permission: 'signed_in',
  summary,
  request: {
    params: z.object({ id: z.string().max(5) }),
    query: z.object({ n: z.coerce.number().int().default(1) }),
    body: z.looseObject({ name: z.string() }),
  },
  response: z.object({ text: z.string() }),
})
const open = endpoint({
  route: 'GET /open',
  prefixes: ['/v2', '/apipy'],
  permission: 'public',
  summary,
  request: { query: z.object({ text: z.string().optional() }) },
  response: z.object({ text: z.string() }),
})
const list = endpoint({
  route: 'GET /list',
  permission: 'signed_in',
  summary,
  request: { query: z.object({ days: z.string(), text: z.string().optional() }) },
  response: z.array(z.string()),
})
const guarded = endpoint({
  route: 'DELETE /guarded',
  permission: 'is_admin',
  summary,
  request: {},
  response: z.object({}),
})
const ownData = endpoint({
  route: 'GET /own',
  permission: 'session',
  summary,
  request: {},
  response: z.object({ user: z.string() }),
})
const long = endpoint({
  route: 'POST /long',
  longBody: true,
  permission: 'signed_in',
  summary,
  request: { body: z.object({ name: z.string() }) },
  response: z.object({ length: z.number() }),
})
const regional = endpoint({
  route: 'POST /regions/{region_id}/things',
  longBody: true,
  permission: 'is_admin',
  summary,
  request: { params: z.object({ region_id: z.string() }), body: z.object({}) },
  response: z.object({}),
})
const file = endpoint({
  route: 'GET /file',
  permission: 'public',
  summary,
  request: {},
  response: { media: 'text/csv' },
})
const left = endpoint({
  route: 'GET /left',
  permission: 'signed_in',
  summary,
  request: { query: z.object({ how: z.string() }) },
  response: z.object({}),
})
const broken = endpoint({
  route: 'GET /broken',
  permission: 'public',
  summary,
  request: { query: z.object({ how: z.string() }) },
  response: z.object({}),
})

const errors: Record<string, unknown> = {
  problem: new Problem('conflict', 'It is taken.'),
  slow: new FactError(159, 'Timeout exceeded: secret'),
  late: new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
  large: new FactError(241, 'Memory'),
  other: new FactError(60, 'Unknown table secret'),
  plain: new Error('secret'),
  reset: Object.assign(new Error('aborted'), { code: 'ECONNRESET' }),
  text: 'secret',
  nothing: undefined,
  many: Object.assign(new Error('Too many'), { statusCode: 429 }),
  body: Object.assign(new Error('x'), { code: 'FST_ERR_CTP_BODY_TOO_LARGE' }),
}
let address = ''
const logged: unknown[] = []
const called: unknown[] = []
const done: CompletedRequest[] = []
const app = fastify()
const getViewer = async (headers: Headers): Promise<Viewer | null> => {
  const token = headers.get('authorization')?.replace('Bearer ', '')
  return token && token !== 'bad'
    ? {
        userId: token,
        email: 'a@b.c',
        organizationId: 'o',
        permissions: ['admin', 'of-region'].includes(token) ? ['is_admin'] : ['edit_geography'],
        scope: { regionIds: ['here'], operators: null } as unknown as Scope,
        allRegions: token !== 'of-region',
        mfaEnrollmentRequired: token === 'unenrolled',
        admin: null,
        sessionId: 's',
      }
    : null
}

/** The error of `onDone`. */
let auditError: Error | null = null

beforeAll(async () => {
  const routes = [
    route(
      echo,
      ({ viewer, params, query, body, at }) => (
        called.push(at),
        { text: `${viewer.userId} ${params.id} ${query.n} ${body.name}` }
      ),
    ),
    route(open, ({ query, viewer }) => ({ text: `${query.text} ${viewer}` })),
    route(list, ({ viewer, query }) => [viewer.userId, query.days]),
    route(guarded, () => (called.push('guarded'), {})),
    route(ownData, ({ viewer }) => ({ user: viewer.userId })),
    route(long, ({ body }) => ({ length: body.name.length })),
    route(regional, () => ({})),
    route(file, () => new RawResponse(Buffer.from('a,b'), { 'content-type': 'text/csv', 'x-own': '1' }, 206)),
    route(
      left,
      ({ query, signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () =>
            reject(query.how === 'reason' ? signal.reason : errors[query.how]),
          )
          called.push('left')
        }),
    ),
    route(broken, ({ query }) => Promise.reject(errors[query.how])),
  ]
  const log = (line: string, details?: Record<string, unknown>): void => void logged.push([line, details])
  installErrorHandler(app, log)
  boundJsonBodies(app)
  dropRefusedBodies(app)
  serveEndpoints(app, routes, {
    getViewer,
    publicUrl: 'https://streets.example',
    log,
    onDone: (entry) => (auditError ? Promise.reject(auditError) : done.push(entry)),
  })
  address = await app.listen({ port: 0 })
})
afterAll(() => app.close())

const admin = { authorization: 'Bearer admin' }
const post = (url: string, payload: object | string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url, headers, payload })

describe('a call', () => {
  it('is validated, answered and not cached', async () => {
    const response = await post('/v2/things/x?n=7', { name: 'é' }, admin)
    expect([response.statusCode, response.json()]).toEqual([200, { text: 'admin x 7 é' }])
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'x-api-version': apiVersion })
    expect(called.at(-1)).toBeInstanceOf(Date)
  })

  it('fails if it cannot be audited, and reports a full disk', async () => {
    auditError = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' })
    const response = await post('/v2/things/x?n=7', { name: 'é' }, admin)
    auditError = null
    expect(response.json()).toMatchObject({
      status: 507,
      code: 'insufficient_storage',
      detail: expect.stringMatching(/disk of the server is full/),
    })
    expect(logged.some((line) => JSON.stringify(line).includes(response.json<{ id: string }>().id))).toBe(
      true,
    )
  })

  it('with invalid fields names each of them and does nothing', async () => {
    const before = called.length
    const response = await post('/v2/things/toolong?n=x', {}, admin)
    expect(response.statusCode).toBe(422)
    expect(response.json()).toMatchObject({
      success: false,
      code: 'validation_error',
      status: 422,
      title: 'Validation Error',
      issues: [{ path: 'path.id' }],
    })
    const other = await post('/v2/things/x', { name: 1 }, admin)
    expect(other.json()).toMatchObject({
      issues: [{ path: 'body.name' }],
      detail: expect.stringContaining('body.name: '),
    })
    expect(called.length).toBe(before)
  })

  it('requires a sign-in and the permission', async () => {
    const send = (headers: Record<string, string>) =>
      app.inject({ method: 'DELETE', url: '/v2/guarded', headers })
    expect((await send({})).json()).toMatchObject({ status: 401, code: 'unauthorized' })
    expect((await send({ authorization: 'Bearer other' })).json()).toMatchObject({
      status: 403,
      code: 'forbidden',
      detail: 'This needs the permission is_admin.',
    })
    expect(called).not.toContain('guarded')
    expect((await send(admin)).statusCode).toBe(200)
    // Permissions are checked before the request is validated, so that strangers learn nothing about it.
    expect((await post('/v2/things/toolong', {})).statusCode).toBe(401)
  })

  it('has a body of limited length', async () => {
    const long = JSON.stringify({ name: 'x'.repeat(900 * 1024), more: 'y'.repeat(900 * 1024) })
    const send = (url: string, payload: string) =>
      post(url, payload, { 'content-type': 'application/json', ...admin })
    expect((await send('/v2/things/x', long)).statusCode).toBe(413)
    expect((await send('/v2/long', long)).json()).toEqual({ length: 900 * 1024 })
  })

  it.each([
    ['deep', `{"name":${'['.repeat(65)}${']'.repeat(65)}}`, 'is nested deeper than 64'],
    ['full of values', `{"name":[${'[],'.repeat(60_000)}0]}`, 'contains more than 100000 values'],
    [
      'one object of many fields',
      JSON.stringify(Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`k${n}`, 0]))),
      'contains an object of more than 10000 fields',
    ],
  ])('has a body that is not parsed if it is %s', async (_name, payload, message) => {
    const response = await post('/v2/things/x', payload, { 'content-type': 'application/json', ...admin })
    expect(response.json()).toMatchObject({
      status: 422,
      detail: `body: ${message}.`,
      issues: [{ path: 'body', message: `${message}.` }],
    })
  })

  it('has a body of a known media type', async () => {
    const response = await post('/v2/things/x', 'a b c', { 'content-type': 'text/turtle', ...admin })
    expect(response.json()).toMatchObject({ success: false, status: 400, detail: 'Unsupported Media Type' })
  })

  it('allows only session endpoints to users who must enroll a second factor', async () => {
    const headers = { authorization: 'Bearer unenrolled' }
    expect((await app.inject({ method: 'GET', url: '/v2/own', headers })).json()).toEqual({
      user: 'unenrolled',
    })
    expect((await app.inject({ method: 'GET', url: '/v2/own' })).statusCode).toBe(401)
    const refused = await post('/v2/things/x', { name: 'n' }, headers)
    expect([refused.statusCode, refused.json().detail]).toEqual([
      403,
      'Your organization requires a second factor. Add one to continue.',
    ])
  })

  it('of a viewer is reported when it ends, whether or not it succeeds', async () => {
    done.length = 0
    await app.inject({
      method: 'DELETE',
      url: '/v2/guarded?x=1',
      headers: { authorization: 'Bearer planner' },
    })
    await app.inject({ method: 'DELETE', url: '/v2/guarded', headers: admin })
    await app.inject({ method: 'GET', url: '/v2/open', headers: admin })
    expect(
      done.map(({ viewer, endpoint, path, status, address }) => [
        viewer.userId,
        endpoint.path,
        path,
        status,
        address,
      ]),
    ).toEqual([
      ['planner', '/guarded', '/v2/guarded', 403, '127.0.0.1'],
      ['admin', '/guarded', '/v2/guarded', 200, '127.0.0.1'],
    ])
  })

  it('that the client has left is aborted without a log entry, unless it fails otherwise', async () => {
    const disconnectWith = async (how: string): Promise<void> => {
      const [before, abort] = [done.length, new AbortController()]
      called.length = 0
      const response = fetch(`${address}/v2/left?how=${how}`, { headers: admin, signal: abort.signal })
      await expect.poll(() => called).toContain('left')
      abort.abort()
      await expect(response).rejects.toThrow(/abort/i)
      await expect.poll(() => done.length).toBe(before + 1)
    }
    logged.length = 0
    await disconnectWith('reason')
    await disconnectWith('other')
    await disconnectWith('reset')
    expect(logged).toEqual([])
    await disconnectWith('plain')
    expect(logged).toHaveLength(1)
  })

  it('in the legacy form has its token in the body and is answered with a success flag', async () => {
    const reply = await post('/apipy/things/x', { token: 'old', name: 'a', n: 3 })
    expect(reply.json()).toEqual({ success: true, text: 'old x 3 a' })
    expect((await post('/apipy/things/x', { token: 7, name: 'a' })).statusCode).toBe(401)
    expect((await post('/apipy/open', { text: 'posted' })).json()).toEqual({
      success: true,
      text: 'posted null',
    })
    expect((await post('/apipy/list', { token: 'old', days: [1, 2], text: null })).json()).toEqual({
      success: true,
      data: ['old', '1,2'],
    })
    expect((await post('/apipy/things/x', { token: 'bad', name: 'a' })).json()).toMatchObject({
      status: 403,
      detail: 'Could not validate credentials',
      success: false,
    })
    expect((await post('/v2/things/x', { token: 'old', name: 'a' })).statusCode).toBe(401)
  })

  it('may be answered with bytes and its own headers', async () => {
    const reply = await app.inject({ method: 'GET', url: '/v2/file' })
    expect([reply.statusCode, reply.body, reply.headers['content-type'], reply.headers['x-own']]).toEqual([
      206,
      'a,b',
      'text/csv',
      '1',
    ])
  })
})

describe('a body that is announced and not sent', () => {
  /** Returns the status of a request without its body, and whether the server closes the connection. */
  const readHead = (path: string, headers: Record<string, string>): Promise<string> =>
    new Promise((resolve, reject) => {
      const lines = Object.entries({ host: 'x', 'content-type': 'application/json', ...headers }).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      )
      const socket = connect(
        Number(new URL(address).port),
        new URL(address).hostname.replace(/[[\]]/g, ''),
        () => socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`),
      )
      socket
        .once('data', (bytes) => {
          const [head = ''] = bytes.toString().split('\r\n\r\n')
          resolve(`${head.slice(9, 12)}${/connection: close/i.test(head) ? ' close' : ''}`)
          socket.destroy()
        })
        .once('error', reject)
    })
  const long = { 'content-length': String(60 * 1024 * 1024) }
  const forged = { cookie: 'session=forged' }

  it('is refused by its headers: no sign-in, a forged one, no permission, a region of others', async () => {
    expect(await readHead('/v2/long', long)).toBe('401')
    expect(await readHead('/v2/long', { ...long, ...forged })).toBe('401')
    expect(await readHead('/v2/long', { 'content-length': String(2 ** 30), ...forged })).toBe('401 close')
    expect(await readHead('/v2/long', { 'transfer-encoding': 'chunked', ...forged })).toBe('401')
    expect(await readHead('/v2/regions/here/things', { ...long, authorization: 'Bearer planner' })).toBe(
      '403',
    )
    expect(await readHead('/v2/regions/elsewhere/things', { ...long, ...admin })).toBe('404')
    expect(await readHead('/v2/regions/here/things', { ...forged, 'content-length': '20' })).toBe('401')
  })

  it('is reported like other refused calls', async () => {
    done.length = 0
    await readHead('/v2/regions/here/things', { ...long, authorization: 'Bearer planner' })
    expect(done.map(({ viewer, path, status }) => [viewer.userId, path, status])).toEqual([
      ['planner', '/v2/regions/here/things', 403],
    ])
  })

  it('is limited in the legacy form, which may name the caller in it', async () => {
    expect(await readHead('/apipy/things/x', { ...long, ...forged })).toBe('413')
    const padded = (length: number) => JSON.stringify({ token: 'old', name: 'a', more: 'x'.repeat(length) })
    const send = (payload: string, headers: Record<string, string> = {}) =>
      post('/apipy/things/x', payload, { 'content-type': 'application/json', ...headers })
    expect((await send(padded(1000), forged)).json()).toMatchObject({ text: 'old x 1 a' })
    expect((await send(padded(unknownCallerBodyBytes))).json()).toMatchObject({
      status: 413,
      detail: expect.stringContaining('64 KB'),
    })
    expect(
      (
        await app.inject({
          method: 'POST',
          url: '/apipy/things/x',
          headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
          payload: Readable.from([padded(unknownCallerBodyBytes)]),
        })
      ).statusCode,
    ).toBe(413)
    expect((await send(padded(unknownCallerBodyBytes), admin)).json()).toMatchObject({ text: 'old x 1 a' })
  })
})

describe('an error', () => {
  const fetchError = async (how: string) =>
    (await app.inject({ method: 'GET', url: `/v2/broken?how=${how}` })).json<{
      status: number
      code: string
      detail: string
      id: string
    }>()

  it.each([
    ['problem', 409, /^It is taken\.$/],
    ['slow', 503, /time limit/],
    ['late', 503, /time limit/],
    ['large', 503, /memory/],
    ['many', 429, /^Too many$/],
    ['body', 413, /larger/],
  ])('%s is disclosed', async (how, status, detail) => {
    expect(await fetchError(how)).toMatchObject({ status, detail: expect.stringMatching(detail) })
  })

  it.each(['other', 'plain', 'text'])('%s is hidden, and logged under the disclosed id', async (how) => {
    const body = await fetchError(how)
    expect(body).toMatchObject({ status: 500, code: 'internal_server_error' })
    expect(JSON.stringify(body)).not.toContain('secret')
    expect(JSON.stringify(logged.at(-1))).toContain(body.id)
    expect(JSON.stringify(logged.at(-1))).toContain('secret')
  })

  it('may be undefined, null or 0', () => {
    for (const error of [undefined, null, 0])
      expect(toProblemBody(error, () => undefined)).toMatchObject({ status: 500 })
  })

  it('of invalid JSON is a client error', async () => {
    const response = await post('/v2/things/x', '{"name":', { ...admin, 'content-type': 'application/json' })
    expect(response.json()).toMatchObject({ status: 400, code: 'bad_request' })
  })
})
