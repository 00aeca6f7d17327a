import { AsyncResource } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Log } from '#server/jobs/log.ts'
import { runWithRequestId } from '#server/jobs/write-log.ts'
import { beginSpan, type OpenSpan } from '#server/metrics/traces.ts'
import {
  authFailures,
  httpDuration,
  httpInFlight,
  keyRequests,
  sseClients,
} from '#server/metrics/server-metrics.ts'

const apiPrefixPattern = /^\/(v2|internal|apipy)(?=\/|$)/
const machineApiPattern = /^\/(mds\/agency|mds\/metrics|cds|external)(?=\/|$)/

/** Returns a request's route as a label: its template without prefix, or `page` for pages and files. */
export function toRouteLabel(template: string | undefined): string {
  if (template === undefined) return 'unmatched'
  if (apiPrefixPattern.test(template)) return template.replace(apiPrefixPattern, '') || '/'
  return /^\/(api|mds|external|cds|health|ping|livez|readyz|metrics)(\/|$)/.test(template) ? template : 'page'
}

/** Returns the reason why a sign-in or token was refused; null if the response is no such refusal. */
export function getAuthFailure(url: string, status: number, hasToken: boolean): string | null {
  if (!url.startsWith('/api/auth/')) return status === 401 && hasToken ? 'token' : null
  if (status === 429) return 'limited'
  return status === 401 || status === 403 ? 'sign_in' : null
}

/** Gives each request an id, measures and traces it. Logs requests that failed, or all with `logsAll`. */
export function watchHttp(app: FastifyInstance, log: Log, logsAll: boolean): void {
  const resources = new WeakMap<FastifyRequest, AsyncResource>()
  const spans = new WeakMap<FastifyRequest, OpenSpan>()
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    httpInFlight.inc()
    reply.raw.once('close', () => httpInFlight.inc({}, -1))
    const { traceparent } = request.headers
    const span = beginSpan('server', typeof traceparent === 'string' ? traceparent : undefined)
    if (span) spans.set(request, span)
    const begin = (): void => {
      resources.set(request, new AsyncResource('request'))
      done()
    }
    runWithRequestId(request.id, () => (span ? span.run(begin) : begin()))
  })
  // Reading a body loses the asynchronous context of the first hook, so it is restored.
  app.addHook('preValidation', (request, _reply, done) => {
    const resource = resources.get(request)
    if (resource) resource.runInAsyncScope(done)
    else done()
  })
  app.addHook('onSend', async (_request, reply) => {
    if (!String(reply.getHeader('content-type') ?? '').startsWith('text/event-stream')) return
    sseClients.inc()
    reply.raw.once('close', () => sseClients.inc({}, -1))
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = toRouteLabel(request.routeOptions.url)
    const { statusCode: status, elapsedTime: ms } = reply
    const isStream = String(reply.getHeader('content-type') ?? '').startsWith('text/event-stream')
    if (!isStream) httpDuration.observe({ route, method: request.method, status }, ms / 1000)
    spans.get(request)?.end({
      name: `${request.method} ${route}`,
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': status,
        'publicway.request_id': request.id,
      },
      hasFailed: status >= 500,
    })
    const [, kind] = machineApiPattern.exec(route) ?? []
    if (kind) {
      const result = status === 401 || status === 403 ? 'refused' : status >= 400 ? 'failed' : 'ok'
      keyRequests.inc({ class: kind.replace('/', '_'), result })
    }
    const { authorization, 'x-api-key': apiKey } = request.headers
    const reason = getAuthFailure(request.url, status, (authorization ?? apiKey) !== undefined)
    if (reason !== null) authFailures.inc({ reason })
    if (logsAll || status >= 500)
      log('request', { request_id: request.id, method: request.method, route, status, ms: Math.round(ms) })
  })
}
