import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type KeyGate, admitRequest } from '#server/api-keys/key-gate.ts'
import { viewerScope } from '#server/identity/scope.ts'
import type { Scope } from '#server/stores/scope.ts'
import { AgencyError, toErrorBody, toKeyError } from '#server/feeds/agency/agency-error.ts'
import { parsePushedJson } from '#server/feeds/agency/pushed-list.ts'
import { agencyVersion } from '#server/feeds/agency/serve-agency.ts'
import { toProblemBody } from '#server/http/errors.ts'
import type { Admission } from '#server/http/admission.ts'
import { Busy } from '#server/http/problem.ts'
import { type MdsVersion, mdsVersions } from '#server/feeds/mds/mds-context.ts'
import type { Log } from '#server/jobs/log.ts'
import { runInWorkload } from '#server/stores/workloads.ts'
import {
  describeMetrics,
  type MetricsCall,
  type MetricsSources,
  queryMdsMetrics,
} from './query-mds-metrics.ts'

/** Path of a region's MDS Metrics API. */
export const metricsPath = '/mds/metrics/:regionId'
/** Maximum size of a body, bytes. */
const bodyLimit = 256 * 1024
/** Maximum time for a response. */
const timeoutMs = 120_000

/** What the API is served with. */
interface ServingContext extends MetricsSources {
  admission: Admission
  gate: KeyGate
  log: Log
  now: () => Date
}

/** Converts an error to one of MDS. Unexpected errors are logged under an id and not disclosed. */
function makeMetricsError(error: unknown, log: Log): AgencyError {
  const expected = error instanceof AgencyError ? error : toKeyError(error)
  if (expected) return expected
  const { status, detail, id, code } = toProblemBody(error, log)
  if (error instanceof Busy) return new AgencyError(status, code, detail, [code])
  if (status === 413)
    return new AgencyError(413, 'bad_param', `The body is larger than ${bodyLimit / 1024} KB.`, ['body'])
  if (status === 503 || status === 504) return AgencyError.logged(status, code, detail, { id })
  if (status < 500) return new AgencyError(400, 'bad_param', detail, ['body'])
  return AgencyError.logged(
    500,
    'server_error',
    'Something went wrong here. It has been logged; quote the id to the agency.',
    { id },
  )
}

const send = (reply: FastifyReply, status: number, body: unknown, version: MdsVersion): FastifyReply =>
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('vary', 'Accept')
    .type(`application/vnd.mds+json;version=${version}`)
    .send(Buffer.from(JSON.stringify(body)))

/** An API key and what it may read. */
interface MetricsReader {
  tokenId: string
  regionId: string
  scope: Scope
}

/** Who sent a request, and the MDS version of its response. */
interface Requester {
  reader: MetricsReader
  version: MdsVersion
}

type Requesters = WeakMap<FastifyRequest, Requester>

const getVersion = (requesters: Requesters, request: FastifyRequest): MdsVersion =>
  requesters.get(request)?.version ?? mdsVersions[0]

/** Finds the key of a request. @throws AgencyError if it may not read the region's metrics. */
async function findRequester(
  { gate }: ServingContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Requester> {
  const { accept, 'content-type': contentType } = request.headers
  const { regionId } = request.params as { regionId: string }
  const key = await admitRequest(gate, request, reply, {
    scopes: ['mds.metrics:read'],
    kind: request.method === 'GET' ? 'read' : 'heavy',
    regionId,
  })
  const scope = viewerScope(key.organizationId, [regionId], key.keyId, key.scope.operators)
  return { reader: { tokenId: key.keyId, regionId, scope }, version: agencyVersion(accept, contentType) }
}

/** Answers a request once there is room for its queries. They end when the client disconnects. */
async function respond(
  { admission, now }: ServingContext,
  { reader: { tokenId, regionId, scope }, version }: Requester,
  reply: FastifyReply,
  getBody: (call: MetricsCall) => Promise<object>,
): Promise<FastifyReply> {
  const disconnect = new AbortController()
  reply.raw.once('close', () => disconnect.abort())
  const work = admission.open('heavy', { userId: tokenId, regionId, signal: disconnect.signal })
  try {
    const body = await runInWorkload(work, () =>
      getBody({
        scope,
        regionId,
        version,
        now: now().getTime(),
        signal: AbortSignal.any([disconnect.signal, AbortSignal.timeout(timeoutMs)]),
      }),
    )
    return await send(reply, 200, body, version)
  } finally {
    work.end()
  }
}

/** Serves the MDS Metrics API, 2.0 and 1.2, to holders of a token of the region. */
export function serveMdsMetrics(http: FastifyInstance, serving: ServingContext): void {
  const requesters: Requesters = new WeakMap()
  // Authorized in `onRequest`, so that the body of an unauthorized request is not read.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    void requesters.set(request, await findRequester(serving, request, reply))
  const getRequester = (request: FastifyRequest): Requester => {
    const requester = requesters.get(request)
    if (!requester) throw new Error('The request was not authorized')
    return requester
  }
  const plugin = async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
      done(null, body),
    )
    app.setErrorHandler<FastifyError>((error, request, reply) => {
      const mdsError = makeMetricsError(error, serving.log)
      if (mdsError.status === 401) reply.header('www-authenticate', 'Bearer')
      if (error instanceof Busy) reply.header('retry-after', String(error.retryAfter))
      return send(reply, mdsError.status, toErrorBody(mdsError), getVersion(requesters, request))
    })
    app.setNotFoundHandler((request, reply) => {
      const [path] = request.url.split('?')
      const error = new AgencyError(404, 'not_found', `There is nothing at ${request.method} ${path}.`, [
        'path',
      ])
      return send(reply, 404, toErrorBody(error), getVersion(requesters, request))
    })
    app.get('/metrics', { onRequest }, async (request, reply) =>
      respond(serving, getRequester(request), reply, (call) => describeMetrics(serving, call)),
    )
    app.post('/metrics', { onRequest, bodyLimit }, async (request, reply) =>
      respond(serving, getRequester(request), reply, async (call) =>
        queryMdsMetrics(serving, call, parsePushedJson(request.body, request.headers['content-type'])),
      ),
    )
  }
  http.register(plugin, { prefix: metricsPath })
}
