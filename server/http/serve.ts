import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Endpoint, isMedia, type Prefix } from '#contract/endpoint.ts'
import type { Log } from '#server/jobs/log.ts'
import type { EndTurn } from '#server/stores/fair-queue.ts'
import { runInLane } from '#server/stores/lanes.ts'
import { Admission } from './admission.ts'
import { sendProblem, toProblemBody, isClientDisconnect } from './errors.ts'
import {
  hasBody,
  limitBody,
  longBodyBytes,
  unknownCallerBodyBytes,
  defaultBodyBytes,
} from './request-body.ts'
import {
  canCarryToken,
  fieldsOf,
  legacyAnswer,
  legacyHeaders,
  legacyMethods,
  legacyQuery,
  refuseBadToken,
} from './legacy-call.ts'
import { Problem, problemBody } from './problem.ts'
import { readRequest } from './read-request'
import { type Call, RawAnswer, type Route, TypedAnswer } from './route.ts'
import { requireAllRegions, type Viewer, type FindViewer } from './viewer.ts'

interface RequestOrigin {
  method: string
  /** The host that was asked, as the browser knows it. */
  host: string
  /** A cookie is taken out where a bearer token is there: the token alone says who asks. */
  headers: Headers
}

const isOwnOrigin = (origin: string, host: string, publicUrl: string): boolean =>
  origin === publicUrl || (URL.canParse(origin) && new URL(origin).host === host)

/**
 * Refuses a change that a page of another site makes in the name of who is signed in here: the browser sends our cookie along,
 * and says where the page is from. Programs with a bearer token send no cookie and are left alone.
 */
export function refuseForeignPage({ method, host, headers }: RequestOrigin, publicUrl: string): void {
  // With both, a bad token would let the cookie stand in for it.
  if (/^bearer\s/i.test(headers.get('authorization') ?? '')) headers.delete('cookie')
  if (method === 'GET' || method === 'HEAD' || !headers.has('cookie')) return
  const origin = headers.get('origin')
  const foreign =
    headers.get('sec-fetch-site') === 'cross-site' ||
    (origin !== null && !isOwnOrigin(origin, host, publicUrl))
  if (foreign) throw new Problem('forbidden', 'This came from a page of another site.')
}

export const apiVersion = '48.68.0'

const fastifyPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** The headers of a request as the web knows them. */
export function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, String(value))
  return headers
}

/** Whether headers hold anything that may name a viewer. */
const hasCredentials = (headers: Headers): boolean => headers.has('authorization') || headers.has('cookie')

/** Refuses who may not make a call; answers the viewer, null where the call is public. `regionId`: of the path. */
function authorize(endpoint: Endpoint, viewer: Viewer | null, regionId: string | undefined): Viewer | null {
  const { permission } = endpoint
  if (permission === 'public') return null
  if (!viewer) throw new Problem('unauthorized', 'Sign in to do this.')
  if (permission === 'session') return viewer
  if (viewer.mfaEnrollmentRequired)
    throw new Problem('forbidden', 'Your organization requires a second factor. Add one to go on.')
  if (permission !== 'signed_in' && !viewer.permissions.includes(permission))
    throw new Problem('forbidden', `This needs the permission ${permission}.`)
  if (endpoint.wholeOrganization) requireAllRegions(viewer)
  if (viewer.scope.operators && endpoint.method !== 'GET' && !endpoint.reads && !endpoint.own)
    throw new Problem('forbidden', 'The sign-in of an operator looks on; it changes nothing.')
  const { regionIds } = viewer.scope
  if (regionId !== undefined && endpoint.method !== 'GET' && regionIds && !regionIds.includes(regionId))
    throw new Problem('not_found', `There is no region '${regionId}'.`)
  return viewer
}

/** Calls something once the answer is sent, or nobody is there to take it. */
const onResponseEnd = (reply: FastifyReply, end: () => void): void =>
  void reply.raw.once('finish', end).once('close', end)

/** The region that a request is about, as it says. */
function requestedRegion(request: FastifyRequest): string {
  const named = [request.params, request.query, fieldsOf(request.body)].map(
    (fields) => (fields as { region_id?: unknown }).region_id,
  )
  return String(named.find((each) => typeof each === 'string') ?? '')
}

const regionInPath = (request: FastifyRequest): string | undefined =>
  (request.params as { region_id?: string }).region_id

/** A request of somebody who signed in, once it is done: for the audit log. */
export interface CompletedRequest {
  viewer: Viewer
  endpoint: Endpoint
  path: string
  status: number
  address: string
  at: Date
}

async function send(
  reply: FastifyReply,
  endpoint: Endpoint,
  prefix: Prefix,
  answer: unknown,
): Promise<unknown> {
  reply.header('cache-control', 'no-store')
  if (answer instanceof RawAnswer)
    return reply
      .code(answer.status)
      .headers(answer.headers)
      .send(answer.body ?? undefined)
  if (answer instanceof TypedAnswer) {
    const { value, type } = answer
    return reply
      .type(`${type}; charset=utf-8`)
      .header('vary', 'Accept')
      .serializer(JSON.stringify)
      .send(prefix === '/apipy' ? legacyAnswer(value) : value)
  }
  if (isMedia(endpoint.answer)) return reply.type(endpoint.answer.media).send(answer)
  return prefix === '/apipy' ? legacyAnswer(answer) : answer
}

/** A stop that fires when the asker goes away before the answer. */
function createAbortSignal(reply: FastifyReply): AbortSignal {
  const stop = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) stop.abort()
  })
  return stop.signal
}

interface ServeOptions {
  viewerOf: FindViewer
  /** Where the own pages come from, beside the host that was asked. */
  publicUrl: string
  log: Log
  admission?: Admission
  /**
   * Gets every request of a viewer when it is done, also where the caller has gone away meanwhile. A change is acknowledged only once
   * this has ended: where it throws, so does the call.
   */
  onDone?: (done: CompletedRequest) => unknown
}

/** Serves every route under its prefixes: ask checked, permission checked, errors in one form. */
export function serve(
  app: FastifyInstance,
  routes: readonly Route[],
  { viewerOf, publicUrl, log, admission = new Admission(), onDone }: ServeOptions,
): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-api-version', apiVersion)
  })
  const all = routes.map(({ endpoint }) => endpoint)
  /** Requests of somebody who may make them, as their headers say. */
  const authorizedRequests = new WeakSet<FastifyRequest>()
  const reportDone = async (
    request: FastifyRequest,
    viewer: Viewer | null,
    endpoint: Endpoint,
    status: number,
    at: Date,
  ): Promise<void> => {
    if (viewer)
      await onDone?.({
        viewer,
        endpoint,
        path: request.url.split('?')[0] ?? '',
        status,
        address: request.ip,
        at,
      })
  }
  /** The same of a call that is refused anyway. */
  const reportRefusal = (...of: Parameters<typeof reportDone>): void =>
    void reportDone(...of).catch((error: unknown) => log('done', { error: String(error) }))
  for (const { endpoint, answer } of routes)
    for (const prefix of endpoint.prefixes)
      app.route({
        method: prefix === '/apipy' ? legacyMethods(endpoint, all) : endpoint.method,
        url: prefix + fastifyPath(endpoint.path),
        bodyLimit:
          endpoint.permission === 'public'
            ? unknownCallerBodyBytes
            : endpoint.longBody
              ? longBodyBytes
              : defaultBodyBytes,
        // Nobody's body is read before it is known that they may send it.
        onRequest: async (request, reply) => {
          if (endpoint.permission === 'public' || !hasBody(request)) return
          const headers = headersOf(request)
          const at = new Date()
          let viewer: Viewer | null = null
          try {
            refuseForeignPage({ method: request.method, host: request.host, headers }, publicUrl)
            viewer = hasCredentials(headers) ? await viewerOf(headers) : null
            authorize(endpoint, viewer, regionInPath(request))
            if (
              viewer &&
              endpoint.longBody &&
              !(Number(request.headers['content-length']) <= defaultBodyBytes)
            )
              onResponseEnd(reply, await admission.takeBody(viewer.userId))
            authorizedRequests.add(request)
          } catch (error) {
            // A legacy call may name somebody else in its body, which is read to a small bound.
            if (prefix === '/apipy' && canCarryToken(endpoint)) return
            const body = toProblemBody(error, log)
            reportRefusal(request, viewer, endpoint, body.status, at)
            return sendProblem(reply, body)
          }
        },
        preParsing: async (request, _reply, payload) =>
          prefix !== '/apipy' || authorizedRequests.has(request) || !hasBody(request)
            ? payload
            : limitBody(request, payload as Readable, unknownCallerBodyBytes),
        handler: async (request, reply) => {
          const legacy = prefix === '/apipy'
          const headers = legacy ? legacyHeaders(headersOf(request), request) : headersOf(request)
          if (endpoint.permission !== 'public')
            refuseForeignPage({ method: request.method, host: request.host, headers }, publicUrl)
          // Once more where a body was read meanwhile: rights may have ended.
          const viewer = endpoint.permission === 'public' ? null : await viewerOf(headers)
          const at = new Date()
          const signal = createAbortSignal(reply)
          const userId = viewer?.userId ?? request.ip
          const work = admission.open(endpoint.cost ?? 'light', {
            userId,
            regionId: requestedRegion(request),
            signal,
          })
          let endCall: EndTurn | null = null
          const answered = async (): Promise<unknown> => {
            if (legacy && !viewer && endpoint.permission !== 'public') refuseBadToken(headers)
            authorize(endpoint, viewer, regionInPath(request))
            const query = legacy ? legacyQuery(endpoint, request) : request.query
            const ask = readRequest(endpoint, { params: request.params, query, body: request.body })
            return answer({ ...ask, viewer, at, signal, headers } as unknown as Call<Endpoint>)
          }
          try {
            endCall = await admission.takeCall(userId)
            const value = await runInLane(work, answered)
            if (value instanceof RawAnswer && value.body instanceof Readable)
              value.body.once('close', work.end)
            else work.end()
            await reportDone(request, viewer, endpoint, value instanceof RawAnswer ? value.status : 200, at)
            return send(reply, endpoint, prefix, value)
          } catch (error) {
            work.end()
            // A call that ends because its client has left is not an error to look into.
            const hasLeft = signal.aborted || (request.raw.destroyed && !request.raw.complete)
            const body =
              hasLeft && (error === signal.reason || isClientDisconnect(error))
                ? problemBody('service_unavailable', 'The client has left.')
                : toProblemBody(error, log)
            reportRefusal(request, viewer, endpoint, body.status, at)
            return sendProblem(reply, body)
          } finally {
            endCall?.()
          }
        },
      })
}
