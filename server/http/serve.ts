import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Endpoint, isMedia, type Prefix } from '#contract/endpoint.ts'
import type { Log } from '#server/jobs/log.ts'
import { bodyOfError } from './errors.ts'
import { Problem } from './problem.ts'
import { readAsk } from './read-ask.ts'
import { type Call, RawAnswer, type Route } from './route.ts'
import type { Viewer, ViewerOf } from './viewer.ts'

export const apiVersion = '48.68.0'

const fastifyPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** The headers of a request as the web knows them. */
export function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) if (value !== undefined) headers.set(name, String(value))
  return headers
}

/** Legacy calls bring token and region in the body (1-product, section 7). */
function legacyHeaders(request: FastifyRequest): Headers {
  const headers = headersOf(request)
  const token = (request.body as { token?: unknown } | null)?.token
  if (typeof token === 'string' && token) headers.set('authorization', `Bearer ${token}`)
  return headers
}

function admit(endpoint: Endpoint, viewer: Viewer | null): void {
  if (endpoint.permission === 'public') return
  if (!viewer) throw new Problem('unauthorized', 'Sign in to do this.')
  if (endpoint.permission !== 'signed_in' && !viewer.permissions.includes(endpoint.permission)) throw new Problem('forbidden', `This needs the permission ${endpoint.permission}.`)
}

async function send(reply: FastifyReply, endpoint: Endpoint, prefix: Prefix, answer: unknown): Promise<unknown> {
  if (answer instanceof RawAnswer) return reply.code(answer.status).headers(answer.headers).send(answer.body ?? undefined)
  if (isMedia(endpoint.answer)) return reply.type(endpoint.answer.media).send(answer)
  reply.header('cache-control', 'no-store')
  return prefix === '/apipy' ? { success: true, ...(answer as object) } : answer
}

/** A stop that fires when the asker goes away before the answer. */
function signalOf(reply: FastifyReply): AbortSignal {
  const stop = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) stop.abort()
  })
  return stop.signal
}

/** Serves every route under its prefixes: ask checked, permission checked, errors in one form. */
export function serve(app: FastifyInstance, routes: readonly Route[], viewerOf: ViewerOf, log: Log): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-api-version', apiVersion)
  })
  app.setErrorHandler(async (error, _request, reply) => {
    const body = bodyOfError(error, log)
    return reply.code(body.status).type('application/json').send(body)
  })
  for (const { endpoint, answer } of routes)
    for (const prefix of endpoint.prefixes)
      app.route({
        method: prefix === '/apipy' && endpoint.method === 'GET' ? ['GET', 'POST'] : endpoint.method,
        url: prefix + fastifyPath(endpoint.path),
        handler: async (request, reply) => {
          const legacy = prefix === '/apipy'
          const headers = legacy ? legacyHeaders(request) : headersOf(request)
          const viewer = endpoint.permission === 'public' ? null : await viewerOf(headers)
          admit(endpoint, viewer)
          const query = legacy && endpoint.ask.query ? { ...(request.body as object | null), ...(request.query as object) } : request.query
          const ask = readAsk(endpoint, { params: request.params, query, body: request.body })
          const call = { ...ask, viewer, at: new Date(), signal: signalOf(reply), headers } as unknown as Call<Endpoint>
          return send(reply, endpoint, prefix, await answer(call))
        },
      })
}
