import fastify from 'fastify'
import { expect, test } from 'vitest'
import type { Log } from '#server/jobs/log.ts'
import { createLog } from '#server/jobs/write-log.ts'
import { httpDuration, formatMetrics, keyRequests } from '#server/metrics/server-metrics.ts'
import { getAuthFailure, toRouteLabel, watchHttp } from './watch-http.ts'

function openApp(logsAll: boolean) {
  const lines: Record<string, unknown>[] = []
  const log: Log = createLog(
    (text) => lines.push(JSON.parse(text) as Record<string, unknown>),
    () => new Date(0),
  )
  const app = fastify({ genReqId: () => 'request-1' })
  watchHttp(app, log, logsAll)
  app.post('/v2/regions/:region_id/trips', async () => {
    log('work')
    return { ok: true }
  })
  app.get('/v2/broken', async () => {
    throw new Error('broken')
  })
  app.get('/mds/agency/vehicles', async (_request, reply) => reply.code(401).send({}))
  return { app, lines }
}

test('watchHttp measures by the template of a path, whatever its parameters', async () => {
  httpDuration.reset()
  const { app } = openApp(false)
  for (const region of ['alder', 'birch'])
    await app.inject({ method: 'POST', url: `/v2/regions/${region}/trips`, payload: { a: 1 } })
  await app.inject('/nowhere')
  const text = await formatMetrics()
  expect(text).toContain(
    'http_request_duration_seconds_count{route="/regions/:region_id/trips",method="POST",status="200"} 2',
  )
  expect(text).toContain('http_request_duration_seconds_count{route="unmatched",method="GET",status="404"} 1')
  expect(text).not.toContain('alder')
  expect(text).toMatch(/^http_in_flight 0$/m)
})

test('watchHttp gives each request an id, which its log lines contain, also after the body was read', async () => {
  const { app, lines } = openApp(false)
  const response = await app.inject({ method: 'POST', url: '/v2/regions/alder/trips', payload: { a: 1 } })
  expect(response.headers['x-request-id']).toBe('request-1')
  expect(lines).toMatchObject([{ line: 'work', request_id: 'request-1' }])
})

test('watchHttp logs requests that failed on the server, and with the setting all requests', async () => {
  const some = openApp(false)
  await some.app.inject('/v2/broken')
  await some.app.inject('/nowhere')
  expect(some.lines).toMatchObject([
    { line: 'request', request_id: 'request-1', route: '/broken', status: 500 },
  ])
  const every = openApp(true)
  await every.app.inject('/nowhere?plate=ABC')
  expect(every.lines).toMatchObject([{ line: 'request', route: 'unmatched', status: 404 }])
  expect(JSON.stringify(every.lines)).not.toContain('ABC')
})

test('watchHttp counts calls of machines by interface', async () => {
  keyRequests.reset()
  await openApp(false).app.inject('/mds/agency/vehicles')
  expect(await formatMetrics()).toContain('api_key_requests_total{class="mds_agency",result="refused"} 1')
})

test('watchHttp names routes and refusals', () => {
  expect(['/apipy', '/internal/users/me', '/assets/a.js', '/health', undefined].map(toRouteLabel)).toEqual([
    '/',
    '/users/me',
    'page',
    '/health',
    'unmatched',
  ])
  expect([
    getAuthFailure('/api/auth/sign-in/email', 401, false),
    getAuthFailure('/api/auth/sign-in/email', 429, false),
    getAuthFailure('/v2/users/me', 401, true),
    getAuthFailure('/v2/users/me', 401, false),
    getAuthFailure('/v2/users/me', 200, true),
  ]).toEqual(['sign_in', 'limited', 'token', null, null])
})
