import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { FactError } from '#server/stores/engine.ts'
import type { Scope } from '#server/stores/scope.ts'
import { answerErrors } from './answer-errors.ts'
import { bodyOfError } from './errors.ts'
import { Problem } from './problem.ts'
import { RawAnswer, route } from './route.ts'
import { apiVersion, type Done, serve } from './serve.ts'
import type { Viewer } from './viewer.ts'

const summary = 'For tests'
const echo = endpoint({ method: 'POST', path: '/things/{id}', prefixes: ['/v2', '/apipy'], permission: 'signed_in', summary, ask: { params: z.object({ id: z.string().max(5) }), query: z.object({ n: z.coerce.number().int().default(1) }), body: z.looseObject({ name: z.string() }) }, answer: z.object({ said: z.string() }) })
const open = endpoint({ method: 'GET', path: '/open', prefixes: ['/v2', '/apipy'], permission: 'public', summary, ask: { query: z.object({ text: z.string().optional() }) }, answer: z.object({ text: z.string() }) })
const guarded = endpoint({ method: 'DELETE', path: '/guarded', permission: 'is_admin', summary, ask: {}, answer: z.object({}) })
const own = endpoint({ method: 'GET', path: '/own', permission: 'session', summary, ask: {}, answer: z.object({ user: z.string() }) })
const long = endpoint({ method: 'POST', longBody: true, path: '/long', permission: 'signed_in', summary, ask: { body: z.object({ name: z.string() }) }, answer: z.object({ length: z.number() }) })
const file = endpoint({ method: 'GET', path: '/file', permission: 'public', summary, ask: {}, answer: { media: 'text/csv' } })
const left = endpoint({ method: 'GET', path: '/left', permission: 'signed_in', summary, ask: { query: z.object({ how: z.string() }) }, answer: z.object({}) })
const broken = endpoint({ method: 'GET', path: '/broken', permission: 'public', summary, ask: { query: z.object({ how: z.string() }) }, answer: z.object({}) })

const errors: Record<string, unknown> = {
  problem: new Problem('conflict', 'It is taken.'), slow: new FactError(159, 'Timeout exceeded: secret'), large: new FactError(241, 'Memory'), other: new FactError(60, 'Unknown table secret'), plain: new Error('secret'),
  text: 'secret', nothing: undefined, many: Object.assign(new Error('Too many'), { statusCode: 429 }), body: Object.assign(new Error('x'), { code: 'FST_ERR_CTP_BODY_TOO_LARGE' }),
}
const logged: unknown[] = []
const called: unknown[] = []
const done: Done[] = []
const app = fastify()
const viewerOf = async (headers: Headers): Promise<Viewer | null> => {
  const token = headers.get('authorization')?.replace('Bearer ', '')
  return token ? { userId: token, email: 'a@b.c', organizationId: 'o', permissions: token === 'admin' ? ['is_admin'] : ['edit_geography'], scope: {} as Scope, owesSecondFactor: token === 'owing', admin: null, sessionId: 's' } : null
}

beforeAll(async () => {
  const routes = [
    route(echo, ({ viewer, params, query, body, at }) => (called.push(at), { said: `${viewer.userId} ${params.id} ${query.n} ${body.name}` })),
    route(open, ({ query, viewer }) => ({ text: `${query.text} ${viewer}` })),
    route(guarded, () => (called.push('guarded'), {})),
    route(own, ({ viewer }) => ({ user: viewer.userId })),
    route(long, ({ body }) => ({ length: body.name.length })),
    route(file, () => new RawAnswer(Buffer.from('a,b'), { 'content-type': 'text/csv', 'x-own': '1' }, 206)),
    route(left, ({ query, signal }) => new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(query.how === 'reason' ? signal.reason : errors[query.how]))
      called.push('left')
    })),
    route(broken, ({ query }) => Promise.reject(errors[query.how])),
  ]
  const log = (line: string, details?: Record<string, unknown>): void => void logged.push([line, details])
  answerErrors(app, log)
  serve(app, routes, { viewerOf, publicUrl: 'https://streets.example', log, onDone: (each) => done.push(each) })
  await app.ready()
})
afterAll(() => app.close())

const admin = { authorization: 'Bearer admin' }

describe('a call', () => {
  it('is checked, answered and never kept', async () => {
    const answer = await app.inject({ method: 'POST', url: '/v2/things/x?n=7', headers: admin, payload: { name: 'é' } })
    expect([answer.statusCode, answer.json()]).toEqual([200, { said: 'admin x 7 é' }])
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-api-version': apiVersion })
    expect(called.at(-1)).toBeInstanceOf(Date)
  })

  it('with faults names each of them and does nothing', async () => {
    const before = called.length
    const answer = await app.inject({ method: 'POST', url: '/v2/things/toolong?n=x', headers: admin, payload: {} })
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toMatchObject({ success: false, code: 'validation_error', status: 422, title: 'Validation Error', issues: [{ path: 'path.id' }] })
    const other = await app.inject({ method: 'POST', url: '/v2/things/x', headers: admin, payload: { name: 1 } })
    expect(other.json()).toMatchObject({ issues: [{ path: 'body.name' }], detail: expect.stringContaining('body.name: ') })
    expect(called.length).toBe(before)
  })

  it('needs a sign-in, or the one key', async () => {
    const ask = (headers: Record<string, string>) => app.inject({ method: 'DELETE', url: '/v2/guarded', headers })
    expect((await ask({})).json()).toMatchObject({ status: 401, code: 'unauthorized' })
    expect((await ask({ authorization: 'Bearer other' })).json()).toMatchObject({ status: 403, code: 'forbidden', detail: 'This needs the permission is_admin.' })
    expect(called).not.toContain('guarded')
    expect((await ask(admin)).statusCode).toBe(200)
    // Permission comes before the check of the ask: strangers learn nothing of it.
    expect((await app.inject({ method: 'POST', url: '/v2/things/toolong', payload: {} })).statusCode).toBe(401)
  })

  it('is not read before somebody can be known by it, nor beyond its bound', async () => {
    const long = JSON.stringify({ name: 'x'.repeat(2 * 1024 * 1024) })
    const sent = (headers: Record<string, string>, payload: string) => app.inject({ method: 'POST', url: '/v2/things/x', headers: { 'content-type': 'application/json', ...headers }, payload })
    expect((await sent({}, '{ no json')).statusCode).toBe(401)
    expect((await sent({}, long)).statusCode).toBe(401)
    expect((await sent(admin, long)).statusCode).toBe(413)
    const shape = await app.inject({ method: 'POST', url: '/v2/long', headers: { 'content-type': 'application/json', ...admin }, payload: long })
    expect(shape.json()).toEqual({ length: 2 * 1024 * 1024 })
  })

  it('opens nothing but a session to who owes a second factor', async () => {
    const headers = { authorization: 'Bearer owing' }
    expect((await app.inject({ method: 'GET', url: '/v2/own', headers })).json()).toEqual({ user: 'owing' })
    expect((await app.inject({ method: 'GET', url: '/v2/own' })).statusCode).toBe(401)
    const refused = await app.inject({ method: 'POST', url: '/v2/things/x', headers, payload: { name: 'n' } })
    expect([refused.statusCode, refused.json().detail]).toEqual([403, 'Your organization requires a second factor. Add one to go on.'])
  })

  it('of a viewer is told of when it ended, whatever came of it', async () => {
    done.length = 0
    await app.inject({ method: 'DELETE', url: '/v2/guarded?x=1', headers: { authorization: 'Bearer planner' } })
    await app.inject({ method: 'DELETE', url: '/v2/guarded', headers: admin })
    await app.inject({ method: 'GET', url: '/v2/open', headers: admin })
    expect(done.map(({ viewer, endpoint, path, status, address }) => [viewer.userId, endpoint.path, path, status, address])).toEqual([
      ['planner', '/guarded', '/v2/guarded', 403, '127.0.0.1'],
      ['admin', '/guarded', '/v2/guarded', 200, '127.0.0.1'],
    ])
  })

  it('that nobody waits for any more is broken off without a word, unless something else is wrong', async () => {
    const address = await app.listen({ port: 0 })
    const leave = async (how: string): Promise<void> => {
      const [before, leaving] = [done.length, new AbortController()]
      called.length = 0
      const asked = fetch(`${address}/v2/left?how=${how}`, { headers: admin, signal: leaving.signal })
      await expect.poll(() => called).toContain('left')
      leaving.abort()
      await expect(asked).rejects.toThrow(/abort/i)
      await expect.poll(() => done.length).toBe(before + 1)
    }
    logged.length = 0
    await leave('reason')
    await leave('other')
    expect(logged).toEqual([])
    await leave('plain')
    expect(logged).toHaveLength(1)
  })

  it('in the older form brings its token in the body and is answered with a flag', async () => {
    const answer = await app.inject({ method: 'POST', url: '/apipy/things/x', payload: { token: 'old', name: 'a', n: 3 } })
    expect(answer.json()).toEqual({ success: true, said: 'old x 3 a' })
    expect((await app.inject({ method: 'POST', url: '/apipy/things/x', payload: { token: 7, name: 'a' } })).statusCode).toBe(401)
    expect((await app.inject({ method: 'POST', url: '/apipy/open', payload: { text: 'posted' } })).json()).toEqual({ success: true, text: 'posted null' })
    expect((await app.inject({ method: 'POST', url: '/v2/things/x', payload: { token: 'old', name: 'a' } })).statusCode).toBe(401)
  })

  it('may be answered with bytes and headers of its own', async () => {
    const answer = await app.inject({ method: 'GET', url: '/v2/file' })
    expect([answer.statusCode, answer.body, answer.headers['content-type'], answer.headers['x-own']]).toEqual([206, 'a,b', 'text/csv', '1'])
  })
})

describe('an error', () => {
  const ask = async (how: string) => (await app.inject({ method: 'GET', url: `/v2/broken?how=${how}` })).json<{ status: number; code: string; detail: string; id: string }>()

  it.each([['problem', 409, /^It is taken\.$/], ['slow', 503, /time limit/], ['large', 503, /memory/], ['many', 429, /^Too many$/], ['body', 413, /larger/]])('%s is told', async (how, status, detail) => {
    expect(await ask(how)).toMatchObject({ status, detail: expect.stringMatching(detail) })
  })

  it.each(['other', 'plain', 'text'])('%s is hidden, and logged under the id that is shown', async (how) => {
    const body = await ask(how)
    expect(body).toMatchObject({ status: 500, code: 'internal_server_error' })
    expect(JSON.stringify(body)).not.toContain('secret')
    expect(JSON.stringify(logged.at(-1))).toContain(body.id)
    expect(JSON.stringify(logged.at(-1))).toContain('secret')
  })

  it('that is nothing at all is one too', () => {
    for (const error of [undefined, null, 0]) expect(bodyOfError(error, () => undefined)).toMatchObject({ status: 500 })
  })

  it('of JSON that is none is the asker\'s', async () => {
    const answer = await app.inject({ method: 'POST', url: '/v2/things/x', headers: { ...admin, 'content-type': 'application/json' }, payload: '{"name":' })
    expect(answer.json()).toMatchObject({ status: 400, code: 'bad_request' })
  })
})
