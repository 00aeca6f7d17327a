import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type CdsVersion, cdsVersions } from '#contract/cds-events.ts'
import { type KeyGate, admitRequest } from '#server/api-keys/key-gate.ts'
import { toProblemBody } from '#server/http/errors.ts'
import type { Admission } from '#server/http/admission.ts'
import { Busy } from '#server/http/problem.ts'
import type { EndpointCost } from '#contract/endpoint.ts'
import type { Log } from '#server/jobs/log.ts'
import { runInWorkload } from '#server/stores/workloads.ts'
import type { State } from '#server/stores/state.ts'
import { AgencyError, toErrorBody, toKeyError } from '../agency/agency-error.ts'
import { type CdsAccess, cdsScopes, findCdsAccess } from './cds-tokens.ts'

/** The same limit as for pushes to MDS Agency. */
const bodyLimitBytes = 8 * 1024 * 1024
/** Requests are aborted after this time. */
const requestTimeoutMs = 120_000
const allAccessKinds = ['events', 'metrics', 'payments', 'push'] as const

export interface CdsServices {
  state: State
  gate: KeyGate
  admission: Admission
  log: Log
  now: () => Date
}

/** An authorized request. `received`: ms since 1970. */
export interface CdsCall {
  access: CdsAccess
  version: CdsVersion
  query: Readonly<Record<string, string | undefined>>
  params: Readonly<Record<string, string | undefined>>
  body: Buffer
  contentType: string | undefined
  received: number
  signal: AbortSignal
}

/** The response of a route. */
export interface CdsResponse {
  status: number
  /** An object for JSON, a string for CSV. */
  body: object | string
  /** For responses that clients may cache. */
  etag?: string
}

/** An endpoint of a CDS API. */
export interface CdsRoute {
  method: 'GET' | 'POST'
  /** The path below `/cds/<api>/:regionId`. */
  path: string
  /** What the API key must permit; `any`: at least one kind of access. */
  access: CdsAccess['access'] | 'any'
  format: 'json' | 'csv'
  cost: EndpointCost
  /** Access of callers without an API key; null if the region is not public. */
  openAccess?: (regionId: string) => Promise<CdsAccess | null>
  handle: (call: CdsCall) => Promise<CdsResponse>
}

/** Parses the versions of CDS media types in an Accept header; '' for a media type without a version. */
function parseVersions(header: string, format: CdsRoute['format']): string[] {
  return header.split(',').flatMap((mediaType) => {
    const [type = '', ...parameters] = mediaType.split(';').map((text) => text.trim().toLowerCase())
    if (type !== `application/vnd.cds+${format}`) return []
    const version = parameters.find((parameter) => parameter.startsWith('version='))
    return [version?.slice('version='.length).replaceAll('"', '') ?? '']
  })
}

/**
 * Chooses the requested version of CDS. The default for JSON endpoints is the newest version; CSV must be
 * requested by its media type, as the Metrics API requires.
 * @throws AgencyError 406 if no supported version is requested.
 */
export function chooseCdsVersion(accept: string | undefined, format: CdsRoute['format']): CdsVersion {
  const requested = parseVersions(accept ?? '', format).map((version) => version || cdsVersions[0])
  const supported = cdsVersions.find((version) => requested.includes(version))
  if (supported) return supported
  if (format === 'json' && !requested.length && !/vnd\.cds/i.test(accept ?? '')) return cdsVersions[0]
  throw new AgencyError(
    406,
    'unsupported_version',
    `Request application/vnd.cds+${format};version=${cdsVersions[0]} in the Accept header.`,
    [...cdsVersions],
  )
}

/** Converts an error to one of CDS. Unexpected errors are logged with an id; callers get no details. */
function toCdsError(error: unknown, log: Log): AgencyError {
  const expectedError = error instanceof AgencyError ? error : toKeyError(error)
  if (expectedError) return expectedError
  const { status, detail, id, code } = toProblemBody(error, log)
  if (error instanceof Busy || [503, 504, 507].includes(status))
    return AgencyError.logged(status, code, detail, { id })
  if (status === 413)
    return new AgencyError(413, 'bad_param', `The body is larger than ${bodyLimitBytes / 1024 / 1024} MB.`, [
      'body',
    ])
  if (status < 500) return new AgencyError(400, 'bad_param', detail, ['body'])
  return AgencyError.logged(
    500,
    'server_error',
    'An unexpected error occurred and was logged. Quote the id when you contact the agency.',
    { id },
  )
}

function send(
  reply: FastifyReply,
  { status, body }: CdsResponse,
  version: CdsVersion,
  format: CdsRoute['format'],
): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('vary', 'Accept')
    .type(`application/vnd.cds+${typeof body === 'string' ? format : 'json'};version=${version}`)
    .send(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
}

/** An authorized caller. */
type Caller = Pick<CdsCall, 'access' | 'version'>

/** Serves an API of CDS for all regions under `/cds/<api>/:regionId`. */
export function serveCds(
  http: FastifyInstance,
  services: CdsServices,
  api: 'curbs' | 'events' | 'metrics' | 'payments',
  routes: readonly CdsRoute[],
): void {
  const callers = new WeakMap<FastifyRequest, Caller>()
  const plugin = async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyLimitBytes }, (_request, body, done) =>
      done(null, body),
    )
    app.setErrorHandler<FastifyError>((error, request, reply) => {
      const cdsError = toCdsError(error, services.log)
      if (cdsError.status === 401) reply.header('www-authenticate', 'Bearer')
      if (error instanceof Busy) reply.header('retry-after', String(error.retryAfter))
      return sendError(reply, cdsError, callers.get(request)?.version)
    })
    app.setNotFoundHandler((request, reply) => sendError(reply, createNotFoundError(request)))
    for (const route of routes)
      app.route({
        method: route.method,
        url: route.path,
        bodyLimit: bodyLimitBytes,
        // Unauthorized callers are rejected before their body is read.
        onRequest: async (request, reply) =>
          void callers.set(request, await authorize(services, route, request, reply)),
        handler: (request, reply) => {
          const caller = callers.get(request)
          if (!caller) throw new Error('The request was not authorized')
          return handle(services, route, caller, { request, reply })
        },
      })
  }
  http.register(plugin, { prefix: `/cds/${api}/:regionId` })
}

const sendError = (
  reply: FastifyReply,
  error: AgencyError,
  version: CdsVersion = cdsVersions[0],
): FastifyReply => send(reply, { status: error.status, body: toErrorBody(error) }, version, 'json')

function createNotFoundError({ method, url }: FastifyRequest): AgencyError {
  const isCds = /^\/cds\/\w+\/[^/]+\/(curbs|events|metrics)\/\w+/.test(url)
  return new AgencyError(
    isCds ? 501 : 404,
    isCds ? 'not_implemented' : 'not_found',
    `There is nothing at ${method} ${url.split('?')[0]}.`,
    ['path'],
  )
}

/**
 * Finds the caller's access in the region of the path.
 * @throws AgencyError if it does not include the route.
 */
async function authorize(
  services: CdsServices,
  route: CdsRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const { openAccess, format } = route
  const { authorization, accept, 'x-api-key': apiKey } = request.headers
  const isAnonymous = authorization === undefined && apiKey === undefined && openAccess
  const access = isAnonymous
    ? await openAccess(getRegionInPath(request))
    : await findKeyAccess(services, route, request, reply)
  if (!access)
    throw new AgencyError(401, 'unauthorized', 'This needs an API key, and its feed must be on.', [
      'Authorization',
    ])
  return { access, version: chooseCdsVersion(accept, format) }
}

const getRegionInPath = ({ params }: FastifyRequest): string => (params as { regionId: string }).regionId

/** Returns the access that a request's API key gives to a route; null if it gives none. */
async function findKeyAccess(
  { gate, state }: CdsServices,
  { access: requiredAccess, cost, method }: CdsRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<CdsAccess | null> {
  const regionId = getRegionInPath(request)
  const accessKinds = requiredAccess === 'any' ? allAccessKinds : [requiredAccess]
  const lightKind = method === 'GET' ? 'read' : 'write'
  const key = await admitRequest(gate, request, reply, {
    scopes: accessKinds.map((accessKind) => cdsScopes[accessKind]),
    kind: cost === 'heavy' ? 'heavy' : lightKind,
    regionId,
  })
  const access = accessKinds.find((kind) => key.scopes.includes(cdsScopes[kind]))
  return access ? findCdsAccess(state, key, access, regionId) : null
}

/** Runs a route in the workload of its cost and sends the response, or 304 if the client has it already. */
async function handle(
  { admission, now }: CdsServices,
  route: CdsRoute,
  caller: Caller,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const disconnected = new AbortController()
  reply.raw.once('close', () => disconnected.abort())
  const work = admission.open(route.cost, {
    userId: caller.access.tokenId,
    regionId: caller.access.regionId,
    signal: disconnected.signal,
  })
  try {
    const response = await runInWorkload(work, () =>
      route.handle({
        ...caller,
        query: request.query as CdsCall['query'],
        params: request.params as CdsCall['params'],
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        contentType: request.headers['content-type'],
        received: now().getTime(),
        signal: AbortSignal.any([disconnected.signal, AbortSignal.timeout(requestTimeoutMs)]),
      }),
    )
    if (response.etag !== undefined) reply.header('etag', response.etag)
    if (response.etag !== undefined && request.headers['if-none-match'] === response.etag)
      return await reply.code(304).send()
    return await send(reply, response, caller.version, route.format)
  } finally {
    work.end()
  }
}
