import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KeyGate } from '#server/api-keys/key-gate.ts'
import { admitRequest } from '#server/api-keys/request-key.ts'
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
import { runInLane } from '#server/stores/lanes.ts'
import { answerMetrics, describeMetrics, type MetricsAsking, type MetricsSources } from './answer-metrics.ts'

/** The path of the API of a region. */
export const metricsPath = '/mds/metrics/:regionId'
const bodyLimit = 256 * 1024
/** An answer takes no longer, ms. */
const maxAnswerMs = 120_000

interface Serving extends MetricsSources {
  admission: Admission
  gate: KeyGate
  log: Log
  now: () => Date
}

/** Errors in MDS's words; what nobody expected is logged under an id and hidden. */
function metricsError(error: unknown, log: Log): AgencyError {
  const known = error instanceof AgencyError ? error : toKeyError(error)
  if (known) return known
  const { status, detail, id, code } = toProblemBody(error, log)
  if (error instanceof Busy) return new AgencyError(status, code, detail, [code])
  if (status === 413)
    return new AgencyError(413, 'bad_param', `The body is larger than ${bodyLimit / 1024} KB.`, ['body'])
  if (status === 503 || status === 504) return new AgencyError(status, code, detail, [id], { id })
  if (status < 500) return new AgencyError(400, 'bad_param', detail, ['body'])
  return new AgencyError(
    500,
    'server_error',
    'Something went wrong here. It has been logged; quote the id to the agency.',
    [id],
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

/** What a key may read. */
interface MetricsReader {
  tokenId: string
  regionId: string
  scope: Scope
}

interface Requester {
  reader: MetricsReader
  version: MdsVersion
}

/** Serves the MDS Metrics API, 2.0 and 1.2, to whoever has a token of the region. */
export function serveMetrics(http: FastifyInstance, serving: Serving): void {
  const known = new WeakMap<FastifyRequest, Requester>()
  const versionOf = (request: FastifyRequest): MdsVersion => known.get(request)?.version ?? mdsVersions[0]
  const regionOf = (request: FastifyRequest): string => (request.params as { regionId: string }).regionId
  const authorize = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { accept, 'content-type': contentType } = request.headers
    const regionId = regionOf(request)
    const key = await admitRequest(serving.gate, request, reply, {
      scopes: ['mds.metrics:read'],
      kind: request.method === 'GET' ? 'read' : 'heavy',
      regionId,
    })
    const scope = viewerScope(key.organizationId, [regionId], key.keyId, key.scope.operators)
    const reader: MetricsReader = { tokenId: key.keyId, regionId, scope }
    known.set(request, { reader, version: agencyVersion(accept, contentType) })
  }
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    use: (asking: MetricsAsking) => Promise<object>,
  ): Promise<FastifyReply> => {
    const requester = known.get(request)
    if (!requester) throw new Error('The request was not authorized')
    const { reader, version } = requester
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const work = serving.admission.open('heavy', {
      userId: reader.tokenId,
      regionId: reader.regionId,
      signal: gone.signal,
    })
    try {
      const body = await runInLane(work, () =>
        use({
          scope: reader.scope,
          regionId: reader.regionId,
          version,
          now: serving.now().getTime(),
          signal: AbortSignal.any([gone.signal, AbortSignal.timeout(maxAnswerMs)]),
        }),
      )
      return await send(reply, 200, body, version)
    } finally {
      work.end()
    }
  }
  const part = async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
      done(null, body),
    )
    app.setErrorHandler<FastifyError>((error, request, reply) => {
      const found = metricsError(error, serving.log)
      if (found.status === 401) reply.header('www-authenticate', 'Bearer')
      if (error instanceof Busy) reply.header('retry-after', String(error.retryAfter))
      return send(reply, found.status, toErrorBody(found), versionOf(request))
    })
    app.setNotFoundHandler((request, reply) =>
      send(
        reply,
        404,
        toErrorBody(
          new AgencyError(
            404,
            'not_found',
            `There is nothing at ${request.method} ${request.url.split('?')[0]}.`,
            ['path'],
          ),
        ),
        versionOf(request),
      ),
    )
    app.get('/metrics', { onRequest: authorize }, (request, reply) =>
      answer(request, reply, (asking) => describeMetrics(serving, asking)),
    )
    // Who is not known need not send the body: it is not even read.
    app.post('/metrics', { onRequest: authorize, bodyLimit }, (request, reply) =>
      answer(request, reply, async (asking) =>
        answerMetrics(serving, asking, parsePushedJson(request.body, request.headers['content-type'])),
      ),
    )
  }
  http.register(part, { prefix: metricsPath })
}
