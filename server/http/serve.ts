import { setMaxListeners } from 'node:events'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Endpoint, isMedia, type Prefix } from '#contract/endpoint.ts'
import type { Log } from '#server/jobs/log.ts'
import type { ApiCallKind } from '#contract/api-scopes.ts'
import { getErrorMessage } from '#contract/problem-text.ts'
import type { EndTurn } from '#server/stores/fair-queue.ts'
import { runInWorkload } from '#server/stores/workloads.ts'
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
  toFields,
  toLegacyResponse,
  readLegacyHeaders,
  listLegacyMethods,
  readLegacyQuery,
  refuseBadToken,
} from './legacy-call.ts'
import type { ProblemBody } from '#contract/problem.ts'
import { Problem, createProblemBody } from './problem.ts'
import { readRequest } from './read-request.ts'
import { refuseForeignPage } from './refuse-foreign-page.ts'
import { type Call, RawResponse, type Route, TypedResponse } from './route.ts'
import { requireAllRegions, type Viewer, type FindViewer } from './viewer.ts'

/** Value of the header `x-api-version`: the API version that the specification's clients expect. */
export const apiVersion = '48.68.0'

const toFastifyPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** Converts the headers of a request. Several values of a name are joined with commas. */
export function toHeaders(request: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, String(value))
  return headers
}

/** Returns whether the headers contain a token or cookie. */
const hasCredentials = (headers: Headers): boolean => headers.has('authorization') || headers.has('cookie')

/**
 * Throws unless the viewer may make the call; returns the viewer, or null if the endpoint is public.
 * `regionId` is the region in the path.
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
  if (viewer.scope.operators && endpoint.method !== 'GET' && !endpoint.reads && !endpoint.changesOwnData)
    throw new Problem('forbidden', 'Operator accounts are read-only.')
  const { regionIds } = viewer.scope
  if (regionId !== undefined && endpoint.method !== 'GET' && regionIds && !regionIds.includes(regionId))
    throw new Problem('not_found', `There is no region '${regionId}'.`)
  return viewer
}

/** Calls `end` when the response is sent or the connection closes. */
const onResponseEnd = (reply: FastifyReply, end: () => void): void =>
  void reply.raw.once('finish', end).once('close', end)

/** Finds the region in the path, query or body of a request; '' if there is none. */
function findRequestedRegion(request: FastifyRequest): string {
  const ids = [request.params, request.query, toFields(request.body)].map(
    (fields) => (fields as { region_id?: unknown }).region_id,
  )
  return String(ids.find((id) => typeof id === 'string') ?? '')
}

const getRegionInPath = (request: FastifyRequest): string | undefined =>
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

/** Sends the result of a use case, in the form of the prefix. */
async function send(
  reply: FastifyReply,
  endpoint: Endpoint,
  prefix: Prefix,
  result: unknown,
): Promise<unknown> {
  reply.header('cache-control', 'no-store')
  if (result instanceof RawResponse)
    return reply
      .code(result.status)
      .headers(result.headers)
      .send(result.body ?? undefined)
  if (result instanceof TypedResponse) {
    const { value, type } = result
    return reply
      .type(`${type}; charset=utf-8`)
      .header('vary', 'Accept')
      .serializer(JSON.stringify)
      .send(prefix === '/apipy' ? toLegacyResponse(value) : value)
  }
  if (isMedia(endpoint.response)) return reply.type(endpoint.response.media).send(result)
  return prefix === '/apipy' ? toLegacyResponse(result) : result
}

/** Creates a signal that is aborted when the client disconnects before the response is sent. */
function createAbortSignal(reply: FastifyReply): AbortSignal {
  const abort = new AbortController()
  // Every running query of the call adds a listener.
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

/** Finds the viewer of an API key. Both functions throw Problem if the key may not make the call. */
export interface ExternalCallers {
  /** Checks the key and counts the call against its limits. */
  admit(call: ExternalCall): Promise<Viewer>
  /** Checks the key again after the body was read, without counting the call. */
  recheck(call: ExternalCall): Promise<Viewer>
}

/** Returns the limit against which calls of an endpoint count. */
export function getCallKind({ cost, method, reads }: Endpoint): ApiCallKind {
  if (cost === 'heavy') return 'heavy'
  return method === 'GET' || reads ? 'read' : 'write'
}

/** Returns the maximum bytes of a body; bodies of public calls come from callers who are not known. */
function getBodyLimit({ permission, longBody }: Endpoint): number {
  if (permission === 'public') return unknownCallerBodyBytes
  return longBody ? longBodyBytes : defaultBodyBytes
}

/** Creates the response to a failed call. Errors caused by a client's disconnect are not logged. */
function createErrorBody(
  error: unknown,
  request: FastifyRequest,
  signal: AbortSignal,
  log: Log,
): ProblemBody {
  const hasDisconnected = signal.aborted || (request.raw.destroyed && !request.raw.complete)
  return hasDisconnected && (error === signal.reason || isClientDisconnect(error))
    ? createProblemBody('service_unavailable', 'The client has left.')
    : toProblemBody(error, log)
}

/** A request to a route under one of its prefixes. */
interface RouteRequest {
  route: Route
  prefix: Prefix
  request: FastifyRequest
  reply: FastifyReply
}

interface ServeOptions {
  getViewer: FindViewer
  /** Finds viewers by API key; if absent, nothing is served under `/external`. */
  externalCallers?: ExternalCallers
  /** Origin of the web app. Requests from pages of the requested host are accepted too. */
  publicUrl: string
  log: Log
  admission?: Admission
  /**
   * Called for every completed request of a viewer, even if the client has disconnected. The response waits
   * for it and fails if it throws, so that no change is acknowledged without an audit entry.
   */
  onDone?: (done: CompletedRequest) => unknown
}

/** Serves every route under its prefixes: checks permissions, validates requests and formats errors. */
export function serveEndpoints(app: FastifyInstance, routes: readonly Route[], options: ServeOptions): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-api-version', apiVersion)
  })
  const endpoints = routes.map(({ endpoint }) => endpoint)
  const server = new RouteServer(options)
  for (const route of routes)
    for (const prefix of route.endpoint.prefixes) {
      if (prefix === '/external' && !options.externalCallers) continue
      app.route({
        method: prefix === '/apipy' ? listLegacyMethods(route.endpoint, endpoints) : route.endpoint.method,
        url: prefix + toFastifyPath(route.endpoint.path),
        bodyLimit: getBodyLimit(route.endpoint),
        onRequest: (request, reply) => server.authorizeByHeaders({ route, prefix, request, reply }),
        preParsing: async (request, _reply, payload) =>
          prefix !== '/apipy' || server.isAuthorized(request) || !hasBody(request)
            ? payload
            : limitBody(request, payload as Readable, unknownCallerBodyBytes),
        handler: (request, reply) => server.respond({ route, prefix, request, reply }),
      })
    }
}

const createExternalCall = ({ route: { endpoint }, request, reply }: RouteRequest): ExternalCall => ({
  headers: toHeaders(request),
  address: request.ip,
  endpoint,
  kind: getCallKind(endpoint),
  regionId: getRegionInPath(request) ?? null,
  setHeader: (name, value) => void reply.header(name, value),
})

/** How a request ended, for the audit log. */
interface RequestOutcome {
  viewer: Viewer | null
  status: number
  at: Date
}

/** Handles requests in two steps: before and after their body was read. */
class RouteServer {
  readonly #options: ServeOptions
  readonly #admission: Admission
  /** Requests that were authorized by their headers, before their body was read. */
  readonly #authorizedRequests = new WeakSet<FastifyRequest>()

  constructor(options: ServeOptions) {
    this.#options = options
    this.#admission = options.admission ?? new Admission()
  }

  /** Returns whether a request was authorized by its headers. */
  isAuthorized(request: FastifyRequest): boolean {
    return this.#authorizedRequests.has(request)
  }

  /**
   * Authorizes a call by its headers, so that only bodies of authorized callers are read. Calls under
   * `/external` are always counted here; other calls without a body are authorized only by `respond`.
   */
  async authorizeByHeaders(routeRequest: RouteRequest): Promise<unknown> {
    const { route, prefix, request, reply } = routeRequest
    const { endpoint } = route
    const { externalCallers, publicUrl, getViewer, log } = this.#options
    const isExternal = prefix === '/external'
    if (!isExternal && (endpoint.permission === 'public' || !hasBody(request))) return
    const headers = toHeaders(request)
    const at = new Date()
    let viewer: Viewer | null = null
    try {
      if (isExternal) {
        viewer = (await externalCallers?.admit(createExternalCall(routeRequest))) ?? null
        authorize(endpoint, viewer, getRegionInPath(request))
        return
      }
      refuseForeignPage({ method: request.method, host: request.host, headers }, publicUrl)
      viewer = hasCredentials(headers) ? await getViewer(headers) : null
      authorize(endpoint, viewer, getRegionInPath(request))
      if (viewer && endpoint.longBody && !(Number(request.headers['content-length']) <= defaultBodyBytes))
        onResponseEnd(reply, await this.#admission.takeBody(viewer.userId))
      this.#authorizedRequests.add(request)
    } catch (error) {
      // A legacy call may name its caller in the body, which is read up to a small limit.
      if (prefix === '/apipy' && canCarryToken(endpoint)) return
      const body = toProblemBody(error, log)
      this.#reportRefusal(routeRequest, { viewer, status: body.status, at })
      return sendProblem(reply, body)
    }
  }

  /** Runs the use case once the call is authorized and admitted, and sends its result. */
  async respond(routeRequest: RouteRequest): Promise<unknown> {
    const { route, prefix, request, reply } = routeRequest
    const { endpoint } = route
    const { publicUrl, log } = this.#options
    const headers = prefix === '/apipy' ? readLegacyHeaders(toHeaders(request), request) : toHeaders(request)
    if (endpoint.permission !== 'public' && prefix !== '/external')
      refuseForeignPage({ method: request.method, host: request.host, headers }, publicUrl)
    // Authorized again after the body was read, because permissions may have changed.
    const viewer = await this.#findCaller(routeRequest, headers)
    const at = new Date()
    const signal = createAbortSignal(reply)
    const userId = viewer?.apiKey?.keyId ?? viewer?.userId ?? request.ip
    const work = this.#admission.open(endpoint.cost ?? 'light', {
      userId,
      regionId: findRequestedRegion(request),
      signal,
    })
    let endCall: EndTurn | null = null
    try {
      endCall = await this.#admission.takeCall(userId)
      const result = await runAsCaller(`${endpoint.method} ${endpoint.path}`, () =>
        runInWorkload(work, () => runUseCase(routeRequest, { viewer, at, signal, headers })),
      )
      if (result instanceof RawResponse && result.body instanceof Readable)
        result.body.once('close', work.end)
      else work.end()
      const status = result instanceof RawResponse ? result.status : 200
      await this.#reportDone(routeRequest, { viewer, status, at })
      return send(reply, endpoint, prefix, result)
    } catch (error) {
      work.end()
      const body = createErrorBody(error, request, signal, log)
      this.#reportRefusal(routeRequest, { viewer, status: body.status, at })
      return sendProblem(reply, body)
    } finally {
      endCall?.()
    }
  }

  async #findCaller(routeRequest: RouteRequest, headers: Headers): Promise<Viewer | null> {
    const { externalCallers, getViewer } = this.#options
    if (routeRequest.prefix === '/external')
      return (await externalCallers?.recheck(createExternalCall(routeRequest))) ?? null
    return routeRequest.route.endpoint.permission === 'public' ? null : getViewer(headers)
  }

  async #reportDone({ route, request }: RouteRequest, { viewer, status, at }: RequestOutcome): Promise<void> {
    if (viewer)
      await this.#options.onDone?.({
        viewer,
        endpoint: route.endpoint,
        path: request.url.split('?')[0] ?? '',
        status,
        address: request.ip,
        at,
      })
  }

  /** Reports a call that has failed already, so errors of the report are only logged. */
  #reportRefusal(routeRequest: RouteRequest, outcome: RequestOutcome): void {
    void this.#reportDone(routeRequest, outcome).catch((error: unknown) =>
      this.#options.log('refused call could not be reported', { error: getErrorMessage(error) }),
    )
  }
}

/** The parts of a call besides the parsed request. */
interface CallContext {
  viewer: Viewer | null
  at: Date
  signal: AbortSignal
  headers: Headers
}

/** Authorizes and parses a request and runs its use case. */
async function runUseCase({ route, prefix, request }: RouteRequest, context: CallContext): Promise<unknown> {
  const { endpoint } = route
  const { viewer, headers } = context
  const isLegacy = prefix === '/apipy'
  if (isLegacy && !viewer && endpoint.permission !== 'public') refuseBadToken(headers)
  authorize(endpoint, viewer, getRegionInPath(request))
  const query = isLegacy ? readLegacyQuery(endpoint, request) : request.query
  const parsed = readRequest(endpoint, { params: request.params, query, body: request.body })
  return route.handle({ ...parsed, ...context } as unknown as Call<Endpoint>)
}
