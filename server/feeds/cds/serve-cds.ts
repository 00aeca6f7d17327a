import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type CdsVersion, cdsVersions } from '#contract/cds-events.ts'
import type { KeyGate } from '#server/api-keys/key-gate.ts'
import { admitRequest } from '#server/api-keys/request-key.ts'
import { toProblemBody } from '#server/http/errors.ts'
import type { Admission } from '#server/http/admission.ts'
import { Busy } from '#server/http/problem.ts'
import type { EndpointCost } from '#contract/endpoint.ts'
import type { Log } from '#server/jobs/log.ts'
import { runInLane } from '#server/stores/lanes.ts'
import type { State } from '#server/stores/state.ts'
import { AgencyError, errorBody, keyErrorOf } from '../agency/agency-error.ts'
import { type CdsAccess, cdsScopes, findCdsAccess } from './cds-tokens.ts'

/** A push may hold as much as one to MDS Agency. */
const bodyLimit = 8 * 1024 * 1024
/** An answer takes no longer, ms. */
const maxAnswerMs = 120_000
const allAccesses = ['events', 'metrics', 'payments', 'push'] as const

export interface CdsServing {
  state: State
  gate: KeyGate
  admission: Admission
  log: Log
  now: () => Date
}

/** A call that is authorized. Times are ms. */
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

export interface CdsAnswer {
  status: number
  /** JSON, or the text of a CSV. */
  body: object | string
  /** Of a response that may be requested again. */
  etag?: string
}

export interface CdsRoute {
  method: 'GET' | 'POST'
  path: string
  /** What a key must allow; `any`: one of the others. */
  access: CdsAccess['access'] | 'any'
  format: 'json' | 'csv'
  cost: EndpointCost
  /** Access of callers without a token to a region that is public; null: none. */
  openAccess?: (regionId: string) => Promise<CdsAccess | null>
  answer: (call: CdsCall) => Promise<CdsAnswer>
}

/** Versions that a header asks for in a media type of CDS; '' where it names none. */
function namedVersions(header: string, format: CdsRoute['format']): string[] {
  return header.split(',').flatMap((part) => {
    const [type = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase())
    if (type !== `application/vnd.cds+${format}`) return []
    const version = parameters.find((each) => each.startsWith('version='))
    return [version?.slice('version='.length).replaceAll('"', '') ?? '']
  })
}

/**
 * The version that a call requests. A call of a JSON endpoint without a media type of CDS gets the newest; CSV must be requested by its
 * media type, as the Metrics API demands. Throws 406.
 */
export function cdsVersion(accept: string | undefined, format: CdsRoute['format']): CdsVersion {
  const named = namedVersions(accept ?? '', format)
  const served = named.map((version) => (version === '' ? cdsVersions[0] : version))
  const found = cdsVersions.find((version) => served.includes(version))
  if (found) return found
  const isOpen = format === 'json' && !named.length && !/vnd\.cds/i.test(accept ?? '')
  if (isOpen) return cdsVersions[0]
  throw new AgencyError(
    406,
    'unsupported_version',
    `Ask for application/vnd.cds+${format};version=${cdsVersions[0]} in the Accept header.`,
    [...cdsVersions],
  )
}

/** Errors in the words of CDS; what nobody expected is logged under an id and hidden. */
function cdsError(error: unknown, log: Log): AgencyError {
  const known = error instanceof AgencyError ? error : keyErrorOf(error)
  if (known) return known
  const { status, detail, id, code } = toProblemBody(error, log)
  if (error instanceof Busy || [503, 504, 507].includes(status))
    return new AgencyError(status, code, detail, [id], { id })
  if (status === 413)
    return new AgencyError(413, 'bad_param', `The body is larger than ${bodyLimit / 1024 / 1024} MB.`, [
      'body',
    ])
  if (status < 500) return new AgencyError(400, 'bad_param', detail, ['body'])
  return new AgencyError(
    500,
    'server_error',
    'Something went wrong here. It has been logged; quote the id to the agency.',
    [id],
    { id },
  )
}

function send(
  reply: FastifyReply,
  { status, body }: CdsAnswer,
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

/** Serves an API of CDS of each region under `/cds/<api>/:regionId`, to whoever has a token. */
export function serveCds(
  http: FastifyInstance,
  serving: CdsServing,
  api: 'curbs' | 'events' | 'metrics' | 'payments',
  routes: readonly CdsRoute[],
): void {
  const known = new WeakMap<FastifyRequest, { access: CdsAccess; version: CdsVersion }>()
  const keyAccess = async (
    request: FastifyRequest,
    reply: FastifyReply,
    {
      needed,
      cost,
      method,
      regionId,
    }: Pick<CdsRoute, 'cost' | 'method'> & { needed: CdsRoute['access']; regionId: string },
  ): Promise<CdsAccess | null> => {
    const accesses = needed === 'any' ? allAccesses : [needed]
    const key = await admitRequest(serving.gate, request, reply, {
      scopes: accesses.map((each) => cdsScopes[each]),
      kind: cost === 'heavy' ? 'heavy' : method === 'GET' ? 'read' : 'write',
      regionId,
    })
    const access = accesses.find((each) => key.scopes.includes(cdsScopes[each]))
    return access ? findCdsAccess(serving.state, key, access, regionId) : null
  }
  const authorize =
    ({ access: needed, format, openAccess, cost, method }: CdsRoute) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const { authorization, accept, 'x-api-key': apiKey } = request.headers
      const { regionId } = request.params as { regionId: string }
      const isOpen = authorization === undefined && apiKey === undefined && openAccess
      const access = isOpen
        ? await openAccess(regionId)
        : await keyAccess(request, reply, { needed, cost, method, regionId })
      if (!access)
        throw new AgencyError(401, 'unauthorized', 'This needs an API key, and its feed must be on.', [
          'Authorization',
        ])
      known.set(request, { access, version: cdsVersion(accept, format) })
    }
  const handle = async (
    route: CdsRoute,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const caller = known.get(request)
    if (!caller) throw new Error('The request was not authorized')
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const work = serving.admission.open(route.cost, {
      userId: caller.access.tokenId,
      regionId: caller.access.regionId,
      signal: gone.signal,
    })
    try {
      const answer = await runInLane(work, () =>
        route.answer({
          ...caller,
          query: request.query as CdsCall['query'],
          params: request.params as CdsCall['params'],
          body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
          contentType: request.headers['content-type'],
          received: serving.now().getTime(),
          signal: AbortSignal.any([gone.signal, AbortSignal.timeout(maxAnswerMs)]),
        }),
      )
      if (answer.etag !== undefined) reply.header('etag', answer.etag)
      if (answer.etag !== undefined && request.headers['if-none-match'] === answer.etag)
        return await reply.code(304).send()
      return await send(reply, answer, caller.version, route.format)
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
      const found = cdsError(error, serving.log)
      if (found.status === 401) reply.header('www-authenticate', 'Bearer')
      if (error instanceof Busy) reply.header('retry-after', String(error.retryAfter))
      return send(
        reply,
        { status: found.status, body: errorBody(found) },
        known.get(request)?.version ?? cdsVersions[0],
        'json',
      )
    })
    app.setNotFoundHandler((request, reply) => {
      const isCds = /^\/cds\/\w+\/[^/]+\/(curbs|events|metrics)\/\w+/.test(request.url)
      const error = new AgencyError(
        isCds ? 501 : 404,
        isCds ? 'not_implemented' : 'not_found',
        `There is nothing at ${request.method} ${request.url.split('?')[0]}.`,
        ['path'],
      )
      return send(reply, { status: error.status, body: errorBody(error) }, cdsVersions[0], 'json')
    })
    for (const route of routes)
      app.route({
        method: route.method,
        url: route.path,
        bodyLimit,
        // The body of an unknown caller is not even read.
        onRequest: authorize(route),
        handler: (request, reply) => handle(route, request, reply),
      })
  }
  http.register(part, { prefix: `/cds/${api}/:regionId` })
}
