import { setMaxListeners } from 'node:events'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Endpoint, isMedia, type Prefix } from '#contract/endpoint.ts'
import type { Log } from '#server/jobs/log.ts'
import type { ApiCallKind } from '#contract/api-scopes.ts'
import type { EndTurn } from '#server/stores/fair-queue.ts'
import { runInLane } from '#server/stores/lanes.ts'
import { runAsCaller } from '#server/stores/query-counts.ts'
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
  legacyResponse,
  legacyHeaders,
  legacyMethods,
  legacyQuery,
  refuseBadToken,
} from './legacy-call.ts'
import { Problem, problemBody } from './problem.ts'
import { readRequest } from './read-request.ts'
import { type Call, RawResponse, type Route, TypedResponse } from './route.ts'
import { requireAllRegions, type Viewer, type FindViewer } from './viewer.ts'

interface RequestOrigin {
  method: string
  /** The requested host, as the browser knows it. */
  host: string
  /** The cookie is removed if there is a bearer token: the token alone identifies the caller. */
  headers: Headers
}

const isOwnOrigin = (origin: string, host: string, publicUrl: string): boolean =>
  origin === publicUrl || (URL.canParse(origin) && new URL(origin).host === host)

/**
 * Refuses changes that a page of another site requests with the cookie of a user who is signed in here
 * (CSRF). Programs with a bearer token need no cookie and are not affected.
 */
export function refuseForeignPage({ method, host, headers }: RequestOrigin, publicUrl: string): void {
  // Otherwise the cookie would authenticate a request with an invalid token.
  if (/^bearer\s/i.test(headers.get('authorization') ?? '')) headers.delete('cookie')
  if (method === 'GET' || method === 'HEAD' || !headers.has('cookie')) return
  const origin = headers.get('origin')
  const isForeign =
    headers.get('sec-fetch-site') === 'cross-site' ||
    (origin !== null && !isOwnOrigin(origin, host, publicUrl))
  if (isForeign) throw new Problem('forbidden', 'The request came from a page of another site.')
}

export const apiVersion = '48.68.0'

const fastifyPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** The headers of a request as a `Headers` object. */
export function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, String(value))
  return headers
}

/** Whether the headers have a token or cookie. */
const hasCredentials = (headers: Headers): boolean => headers.has('authorization') || headers.has('cookie')

/**
 * Throws unless the viewer may make the call; returns the viewer, or null if the endpoint is public.
 * `regionId` is that of the path.
 */
function authorize(endpoint: Endpoint, viewer: Viewer | null, regionId: string | undefined): Viewer | null {
  const { permission } = endpoint
  if (permission === 'public') return null
  if (!viewer) throw new Problem('unauthorized', 'Sign in to do this.')
  if (permission === 'session') return viewer
  if (viewer.mfaEnrollmentRequired)
    throw new Problem('forbidden', 'Your organization requires a second factor. Add one to continue.')
  if (permission !== 'signed_in' && !viewer.permissions.includes(permission))
    throw new Problem('forbidden', `This needs the permission ${permission}.`)
  if (endpoint.wholeOrganization) requireAllRegions(viewer)
  if (viewer.scope.operators && endpoint.method !== 'GET' && !endpoint.reads && !endpoint.own)
    throw new Problem('forbidden', 'Operator accounts are read-only.')
  const { regionIds } = viewer.scope
  if (regionId !== undefined && endpoint.method !== 'GET' && regionIds && !regionIds.includes(regionId))
    throw new Problem('not_found', `There is no region '${regionId}'.`)
  return viewer
}

/** Calls `end` when the response is sent or the connection closes. */
const onResponseEnd = (reply: FastifyReply, end: () => void): void =>
  void reply.raw.once('finish', end).once('close', end)

/** The region that the path, query or body of a request names; '' if none does. */
function requestedRegion(request: FastifyRequest): string {
  const ids = [request.params, request.query, fieldsOf(request.body)].map(
    (fields) => (fields as { region_id?: unknown }).region_id,
  )
  return String(ids.find((each) => typeof each === 'string') ?? '')
}

const regionInPath = (request: FastifyRequest): string | undefined =>
  (request.params as { region_id?: string }).region_id

/** A completed request of a signed-in user, for the audit log. */
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
  if (answer instanceof RawResponse)
    return reply
      .code(answer.status)
      .headers(answer.headers)
      .send(answer.body ?? undefined)
  if (answer instanceof TypedResponse) {
    const { value, type } = answer
    return reply
      .type(`${type}; charset=utf-8`)
      .header('vary', 'Accept')
      .serializer(JSON.stringify)
      .send(prefix === '/apipy' ? legacyResponse(value) : value)
  }
  if (isMedia(endpoint.response)) return reply.type(endpoint.response.media).send(answer)
  return prefix === '/apipy' ? legacyResponse(answer) : answer
}

/** A signal that is aborted when the client disconnects before the response is sent. */
function createAbortSignal(reply: FastifyReply): AbortSignal {
  const abort = new AbortController()
  // Each query of the call listens to it while it runs.
  setMaxListeners(0, abort.signal)
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) abort.abort()
  })
  return abort.signal
}

/** A call under `/external`. */
export interface ExternalCall {
  headers: Headers
  address: string
  endpoint: Endpoint
  kind: ApiCallKind
  regionId: string | null
  setHeader: (name: string, value: string) => void
}

/** Finds the viewers of API keys. Both throw Problem if the key may not make the call. */
export interface ExternalCallers {
  /** Counts the call against the limits of its key. */
  admit(call: ExternalCall): Promise<Viewer>
  /** With the rights of now, after the body was read. */
  recheck(call: ExternalCall): Promise<Viewer>
}

/** Which limit a call of an endpoint counts against. */
export const callKind = ({ cost, method, reads }: Endpoint): ApiCallKind =>
  cost === 'heavy' ? 'heavy' : method === 'GET' || reads ? 'read' : 'write'

interface ServeOptions {
  viewerOf: FindViewer
  /** Without it nothing is served under `/external`. */
  externalCallers?: ExternalCallers
  /** Origin of the web app; pages of the requested host are accepted too. */
  publicUrl: string
  log: Log
  admission?: Admission
  /**
   * Called for every completed request of a viewer, also if the client has disconnected. The response waits
   * for it and fails if it throws, so that no change is acknowledged without an audit entry.
   */
  onDone?: (done: CompletedRequest) => unknown
}

/** Serves every route under its prefixes: checks permissions, validates requests and formats errors. */
export function serve(
  app: FastifyInstance,
  routes: readonly Route[],
  { viewerOf, externalCallers, publicUrl, log, admission = new Admission(), onDone }: ServeOptions,
): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-api-version', apiVersion)
  })
  const all = routes.map(({ endpoint }) => endpoint)
  /** Requests that were authorized by their headers. */
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
  /** Reports a call that failed anyway, so errors are only logged. */
  const reportRefusal = (...args: Parameters<typeof reportDone>): void =>
    void reportDone(...args).catch((error: unknown) => log('done', { error: String(error) }))
  const externalCall = (request: FastifyRequest, reply: FastifyReply, endpoint: Endpoint): ExternalCall => ({
    headers: headersOf(request),
    address: request.ip,
    endpoint,
    kind: callKind(endpoint),
    regionId: regionInPath(request) ?? null,
    setHeader: (name, value) => void reply.header(name, value),
  })
  for (const { endpoint, handle } of routes)
    for (const prefix of endpoint.prefixes.filter((each) => each !== '/external' || externalCallers))
      app.route({
        method: prefix === '/apipy' ? legacyMethods(endpoint, all) : endpoint.method,
        url: prefix + fastifyPath(endpoint.path),
        bodyLimit:
          endpoint.permission === 'public'
            ? unknownCallerBodyBytes
            : endpoint.longBody
              ? longBodyBytes
              : defaultBodyBytes,
        // The body is read only after the caller is authorized.
        onRequest: async (request, reply) => {
          const isExternal = prefix === '/external'
          if (!isExternal && (endpoint.permission === 'public' || !hasBody(request))) return
          const headers = headersOf(request)
          const at = new Date()
          let viewer: Viewer | null = null
          try {
            if (isExternal) {
              viewer = (await externalCallers?.admit(externalCall(request, reply, endpoint))) ?? null
              authorize(endpoint, viewer, regionInPath(request))
              return
            }
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
            // A legacy call may name its caller in the body, which is read up to a small limit.
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
          if (endpoint.permission !== 'public' && prefix !== '/external')
            refuseForeignPage({ method: request.method, host: request.host, headers }, publicUrl)
          // Authorized again after the body was read, because permissions may have changed.
          const viewer = await (async (): Promise<Viewer | null> => {
            if (prefix === '/external')
              return (await externalCallers?.recheck(externalCall(request, reply, endpoint))) ?? null
            return endpoint.permission === 'public' ? null : viewerOf(headers)
          })()
          const at = new Date()
          const signal = createAbortSignal(reply)
          const userId = viewer?.apiKey?.keyId ?? viewer?.userId ?? request.ip
          const work = admission.open(endpoint.cost ?? 'light', {
            userId,
            regionId: requestedRegion(request),
            signal,
          })
          let endCall: EndTurn | null = null
          const respond = async (): Promise<unknown> => {
            if (legacy && !viewer && endpoint.permission !== 'public') refuseBadToken(headers)
            authorize(endpoint, viewer, regionInPath(request))
            const query = legacy ? legacyQuery(endpoint, request) : request.query
            const parsed = readRequest(endpoint, { params: request.params, query, body: request.body })
            return handle({ ...parsed, viewer, at, signal, headers } as unknown as Call<Endpoint>)
          }
          try {
            endCall = await admission.takeCall(userId)
            const value = await runAsCaller(`${endpoint.method} ${endpoint.path}`, () =>
              runInLane(work, respond),
            )
            if (value instanceof RawResponse && value.body instanceof Readable)
              value.body.once('close', work.end)
            else work.end()
            await reportDone(request, viewer, endpoint, value instanceof RawResponse ? value.status : 200, at)
            return send(reply, endpoint, prefix, value)
          } catch (error) {
            work.end()
            // Errors caused by a client's disconnect are not logged.
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
