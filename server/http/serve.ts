import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Endpoint, isMedia, type Prefix } from '#contract/endpoint.ts'
import type { Log } from '#server/jobs/log.ts'
import { FactError } from '#server/stores/engine.ts'
import { sendProblem } from './answer-errors.ts'
import { bodyOfError } from './errors.ts'
import { Problem, problemBody } from './problem.ts'
import { refuseForeignPage } from './refuse-foreign-page.ts'
import { readAsk } from './read-ask.ts'
import { type Call, RawAnswer, type Route } from './route.ts'
import type { Viewer, ViewerOf } from './viewer.ts'

export const apiVersion = '48.68.0'

/** Bytes of a JSON body that may be long. */
const longBody = 64 * 1024 * 1024

const fastifyPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** The headers of a request as the web knows them. */
export function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) if (value !== undefined) headers.set(name, String(value))
  return headers
}

/** The fields of a JSON body; of bytes, a stream or a text there are none. */
const fieldsOf = (body: unknown): Record<string, unknown> => (typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype ? (body as Record<string, unknown>) : {})

/** A body may hold what no header can. Such a text names nobody, and still does so afterwards. */
const asHeader = (text: string): string => text.replace(/[^\x21-\x7e]/gu, '?')

/** Legacy calls bring token, region and impersonated user in the body (1-product, section 7). */
function legacyHeaders(request: FastifyRequest): Headers {
  const headers = headersOf(request)
  const { token, impersonated_user: user } = fieldsOf(request.body)
  if (typeof token === 'string' && token) headers.set('authorization', `Bearer ${asHeader(token)}`)
  if (typeof user === 'string' && user) headers.set('impersonated-user', asHeader(user))
  return headers
}

function admit(endpoint: Endpoint, viewer: Viewer | null): void {
  const { permission } = endpoint
  if (permission === 'public') return
  if (!viewer) throw new Problem('unauthorized', 'Sign in to do this.')
  if (permission === 'session') return
  if (viewer.owesSecondFactor) throw new Problem('forbidden', 'Your organization requires a second factor. Add one to go on.')
  if (permission !== 'signed_in' && !viewer.permissions.includes(permission)) throw new Problem('forbidden', `This needs the permission ${permission}.`)
  if (viewer.scope.operators && endpoint.method !== 'GET' && !endpoint.reads && !endpoint.own) throw new Problem('forbidden', 'The sign-in of an operator looks on; it changes nothing.')
}

/** A request of somebody who signed in, once it is done: for the audit log. */
export interface Done {
  viewer: Viewer
  endpoint: Endpoint
  path: string
  status: number
  address: string
  at: Date
}

async function send(reply: FastifyReply, endpoint: Endpoint, prefix: Prefix, answer: unknown): Promise<unknown> {
  reply.header('cache-control', 'no-store')
  if (answer instanceof RawAnswer) return reply.code(answer.status).headers(answer.headers).send(answer.body ?? undefined)
  if (isMedia(endpoint.answer)) return reply.type(endpoint.answer.media).send(answer)
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

interface Serving {
  viewerOf: ViewerOf
  /** Where the own pages come from, beside the host that was asked. */
  publicUrl: string
  log: Log
  /** Told of every request of a viewer when it is done, also where the asker has gone away meanwhile. */
  onDone?: (done: Done) => void
}

/** Serves every route under its prefixes: ask checked, permission checked, errors in one form. */
export function serve(app: FastifyInstance, routes: readonly Route[], { viewerOf, publicUrl, log, onDone }: Serving): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-api-version', apiVersion)
  })
  for (const { endpoint, answer } of routes)
    for (const prefix of endpoint.prefixes)
      app.route({
        method: prefix === '/apipy' && endpoint.method === 'GET' ? ['GET', 'POST'] : endpoint.method,
        url: prefix + fastifyPath(endpoint.path),
        ...(endpoint.longBody ? { bodyLimit: longBody } : {}),
        // Who brings nothing to be known by need not send the body: it is not even read.
        onRequest: async ({ headers }) => {
          if (endpoint.permission !== 'public' && prefix !== '/apipy' && !headers.authorization && !headers.cookie) throw new Problem('unauthorized', 'Sign in to do this.')
        },
        handler: async (request, reply) => {
          const legacy = prefix === '/apipy'
          const headers = legacy ? legacyHeaders(request) : headersOf(request)
          if (endpoint.permission !== 'public') refuseForeignPage({ method: request.method, host: request.host, headers }, publicUrl)
          const viewer = endpoint.permission === 'public' ? null : await viewerOf(headers)
          const at = new Date()
          const signal = signalOf(reply)
          const done = (status: number): void => {
            if (viewer) onDone?.({ viewer, endpoint, path: request.url.split('?')[0] ?? '', status, address: request.ip, at })
          }
          const answered = async (): Promise<unknown> => {
            admit(endpoint, viewer)
            const query = legacy && endpoint.ask.query ? { ...fieldsOf(request.body), ...(request.query as object) } : request.query
            const ask = readAsk(endpoint, { params: request.params, query, body: request.body })
            return answer({ ...ask, viewer, at, signal, headers } as unknown as Call<Endpoint>)
          }
          try {
            const value = await answered()
            done(value instanceof RawAnswer ? value.status : 200)
            return send(reply, endpoint, prefix, value)
          } catch (error) {
            // A question that was broken off because nobody waits for it any more is no fault to be looked into.
            const body = signal.aborted && (error === signal.reason || error instanceof FactError) ? problemBody('service_unavailable', 'The asker went away.') : bodyOfError(error, log)
            done(body.status)
            return sendProblem(reply, body)
          }
        },
      })
}
