import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { getErrorMessage } from '#contract/problem-text.ts'
import { admitRequest } from '#server/api-keys/key-gate.ts'
import { toProblemBody } from '#server/http/errors.ts'
import { createProblemId } from '#server/http/problem.ts'
import { InvalidatingCache } from '#server/stores/invalidating-cache.ts'
import { createLightWork, runInWorkload } from '#server/stores/workloads.ts'
import { isStoreUnreachable } from '#server/stores/store-unreachable.ts'
import { parseUuid } from '../mds/fields.ts'
import { type MdsVersion, mdsVersions } from '../mds/mds-context.ts'
import { deferPush } from './deferred-pushes.ts'
import { AgencyError, toErrorBody, toKeyError } from './agency-error.ts'
import type { Agency } from './agency.ts'
import type { AgencyResponse, AgencyRoute } from './agency-route.ts'
import { mds1PushRoutes } from './mds1-push-routes.ts'
import { findPusher, type Pusher } from './find-pusher.ts'
import { pushRoutes } from './push-routes.ts'
import { parsePushedJson } from './pushed-list.ts'
import { PushQueue } from './push-queue.ts'
import { mds1StopRoutes, stopRoutes } from './stop-routes.ts'
import { mds1VehicleRoutes, vehicleRoutes } from './vehicle-routes.ts'

/** Parses the versions in a header with media types, in order. */
const parseVersions = (header: string | undefined): string[] =>
  [...(header ?? '').matchAll(/;\s*version\s*=\s*"?([^\s";,]*)"?/gi)].map(([, version = '']) => version)

const isSupported = (version: string): version is MdsVersion =>
  (mdsVersions as readonly string[]).includes(version)

/**
 * Returns the version of MDS of a request, from its Accept header or else its Content-Type; by default the
 * newest. Versions have no patch number.
 * @throws AgencyError 406 if the version is not supported.
 */
export function agencyVersion(accept: string | undefined, contentType: string | undefined): MdsVersion {
  const acceptedVersions = parseVersions(accept)
  const sentVersions = parseVersions(contentType)
  // One acceptable version is enough, but the version of the body itself must be supported.
  const acceptsUnsupportedOnly = acceptedVersions.length > 0 && !acceptedVersions.some(isSupported)
  if (acceptsUnsupportedOnly || !sentVersions.every(isSupported))
    throw new AgencyError(
      406,
      'unsupported_version',
      `This version of MDS is not supported; ${mdsVersions.join(' and ')} are.`,
      [...mdsVersions],
    )
  return acceptedVersions.find(isSupported) ?? sentVersions.find(isSupported) ?? mdsVersions[0]
}

const prefix = '/mds/agency'
/** The maximum delay until changes of a feed by another server take effect. */
const pusherCacheMs = 5000
/** Bodies are parsed on the main thread; larger ones would block other requests. */
const bodyLimitBytes = 8 * 1024 * 1024
const csvTypePattern = /^text\/(vnd\.mds\+)?csv\s*(;|$)/i

/** Converts an error to one of MDS. Unexpected errors are logged with an id; callers get no details. */
function toAgencyError(error: unknown, { log }: Agency): AgencyError {
  const expectedError = error instanceof AgencyError ? error : toKeyError(error)
  if (expectedError) return expectedError
  const { status, detail, id, retry_after: retryAfter } = toProblemBody(error, log)
  if (status === 413)
    return new AgencyError(
      413,
      'bad_param',
      `The body is larger than ${bodyLimitBytes / 1024 / 1024} MB. Send fewer items at once.`,
      ['body'],
    )
  if (status < 500) return new AgencyError(400, 'bad_param', detail, ['body'])
  if (status === 507) return AgencyError.logged(507, 'server_error', detail, { id })
  if (retryAfter !== undefined) return AgencyError.logged(503, 'server_error', detail, { id, retryAfter })
  return AgencyError.logged(
    500,
    'server_error',
    'An unexpected error occurred and was logged. Quote the id when you contact the agency.',
    { id },
  )
}

function send(
  reply: FastifyReply,
  { status, body: content }: AgencyResponse,
  version: MdsVersion,
): FastifyReply {
  const body = status >= 400 && typeof content === 'object' ? { id: createProblemId(), ...content } : content
  reply.code(status).header('cache-control', 'no-store')
  return body === undefined
    ? reply.send()
    : reply.type(`application/vnd.mds+json;version=${version}`).send(Buffer.from(JSON.stringify(body)))
}

/** What is determined before the body is read. */
interface Requester {
  pusher: Pusher
  version: MdsVersion
}

/** Serves the MDS Agency API, 2.0 and 1.2, to operators with an API key. */
export function serveAgency(http: FastifyInstance, agency: Agency): void {
  const requesters = new WeakMap<FastifyRequest, Requester>()
  const authorize = createAuthorizer(agency)
  const routes = groupRoutesByPath(agency, new PushQueue(agency.fleetIngest))
  const plugin = async (app: FastifyInstance): Promise<void> => {
    // Bodies are retained as received, whatever their content type.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyLimitBytes }, (_request, body, done) =>
      done(null, body),
    )
    app.setErrorHandler<FastifyError>((error, request, reply) => {
      const agencyError = toAgencyError(error, agency)
      if (agencyError.status === 401) reply.header('www-authenticate', 'Bearer')
      if (agencyError.retryAfter !== null) reply.header('retry-after', String(agencyError.retryAfter))
      return sendError(reply, agencyError, requesters.get(request)?.version)
    })
    app.setNotFoundHandler((request, reply) =>
      sendError(
        reply,
        notFound(`There is nothing at ${request.method} ${request.url.split('?')[0]}.`),
        requesters.get(request)?.version,
      ),
    )
    for (const [key, byVersion] of routes) {
      const [method = '', url = ''] = key.split(' ')
      app.route({
        method,
        url,
        bodyLimit: bodyLimitBytes,
        // Unauthorized clients are rejected before their body is read.
        onRequest: async (request, reply) => void requesters.set(request, await authorize(request, reply)),
        handler: async (request, reply) => {
          const requester = requesters.get(request)
          const route = requester && byVersion[requester.version]
          if (!route)
            throw notFound(`MDS ${requester?.version} has no ${method} ${url.replace(':id', '{id}')}.`)
          const work = createLightWork()
          try {
            const response = await runInWorkload(work, () => handle(agency, route, requester, request))
            return send(reply, response, requester.version)
          } finally {
            work.end()
          }
        },
      })
    }
  }
  http.register(plugin, { prefix })
}

const notFound = (description: string): AgencyError => new AgencyError(404, 'not_found', description)

const sendError = (
  reply: FastifyReply,
  error: AgencyError,
  version: MdsVersion = mdsVersions[0],
): FastifyReply => send(reply, { status: error.status, body: toErrorBody(error) }, version)

/** Returns a function that finds the operator and the version of a request. It throws AgencyError. */
function createAuthorizer({ state, gate, now }: Agency) {
  const pushers = new InvalidatingCache<Pusher | null>({
    changes: state.changes,
    tables: ['feed', 'region', 'operator', 'api_key'],
    ttlMs: pusherCacheMs,
    maxEntries: 1000,
    nowMs: () => now().getTime(),
  })
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Requester> => {
    const { accept, 'content-type': contentType } = request.headers
    const key = await admitRequest(gate, request, reply, {
      scopes: ['mds.agency:write'],
      // Routes of GET serve HEAD too.
      kind: ['GET', 'HEAD'].includes(request.method) ? 'read' : 'write',
      regionId: null,
    })
    const pusher = await pushers.get(key.keyId, () => findPusher(state, key))
    if (!pusher) throw new AgencyError(401, 'unauthorized', 'The feed of the API key is off.')
    return { pusher, version: agencyVersion(accept, contentType) }
  }
}

/** Returns the routes of both versions by method and path, such as `GET /stops/:id`. */
function groupRoutesByPath(
  agency: Agency,
  queue: PushQueue,
): Map<string, Partial<Record<MdsVersion, AgencyRoute>>> {
  const routes: Record<MdsVersion, AgencyRoute[]> = {
    '2.0': [...pushRoutes(agency, queue), ...vehicleRoutes(agency), ...stopRoutes(agency, queue)],
    '1.2': [...mds1PushRoutes(agency, queue), ...mds1VehicleRoutes(agency), ...mds1StopRoutes(agency, queue)],
  }
  const byPath = new Map<string, Partial<Record<MdsVersion, AgencyRoute>>>()
  for (const version of mdsVersions)
    for (const route of routes[version]) {
      const key = `${route.method} ${route.path}`
      byPath.set(key, { ...byPath.get(key), [version]: route })
    }
  return byPath
}

/** Retains the body of a push and calls the route. A push that cannot be stored now is deferred. */
async function handle(
  agency: Agency,
  route: AgencyRoute,
  { pusher, version }: Requester,
  request: FastifyRequest,
): Promise<AgencyResponse> {
  const received = agency.now().getTime()
  const idParam = (request.params as { id?: string }).id
  const id = idParam === undefined ? '' : parseUuid(idParam)
  if (idParam !== undefined && !id)
    throw new AgencyError(400, 'bad_param', 'The id in the path must be a UUID.', [
      route.path.startsWith('/stops') ? 'stop_id' : 'device_id',
    ])
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const contentType = request.headers['content-type']
  if (route.stream)
    await agency.storeRaw({
      feedId: pusher.feedId,
      regionId: pusher.regionId,
      stream: route.stream,
      version,
      url: `${request.method} ${request.url.split('?')[0]}`,
      received,
      body,
    })
  if (route.isCsv && !csvTypePattern.test(contentType ?? ''))
    throw new AgencyError(400, 'bad_param', 'The Content-Type must be text/csv or text/vnd.mds+csv.', [
      'Content-Type',
    ])
  const content = {
    json: route.stream && !route.isCsv ? parsePushedJson(body, contentType) : null,
    text: route.isCsv ? new TextDecoder().decode(body) : '',
  }
  try {
    return await route.handle({ pusher, received, id, ...content })
  } catch (error) {
    if (route.stream && isStoreUnreachable(error))
      await deferPush(agency.state, pusher, received).catch((problem: unknown) =>
        agency.log('push could not be deferred', { feedId: pusher.feedId, error: getErrorMessage(problem) }),
      )
    throw error
  }
}
