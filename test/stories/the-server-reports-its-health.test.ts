import fs from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { getLiveness, getReadiness } from '#contract/operations.ts'
import { openTestApp, request, send, type TestApp } from '../app.ts'
import { makePeople, type TestCity } from '../city.ts'

const metricsToken = 'metrics-token-of-the-test'
/** Names of metrics that dashboards and alerts depend on. */
const promisedNames =
  `http_request_duration_seconds http_in_flight event_loop_lag_seconds process_cpu_seconds_total
  process_resident_memory_bytes db_pool_size db_pool_wait_seconds ch_query_duration_seconds ch_session_pool_busy
  ingest_rows_total ingest_lag_seconds feed_last_success_timestamp jobs_queued jobs_running jobs_failed
  job_duration_seconds rollup_watermark_seconds live_positions sse_clients mail_sent_total mail_failed_total
  webhook_delivered_total webhook_failed_total api_key_requests_total auth_failures_total
  backup_last_success_timestamp backup_last_verified_timestamp disk_free_bytes migrations_pending build_info`.split(
    /\s+/,
  )

let app: TestApp
let city: TestCity
beforeAll(async () => {
  app = await openTestApp(undefined, { METRICS_TOKEN: metricsToken })
  city = await makePeople(app)
})
afterAll(() => app.close())

const getMetrics = (authorization?: string) =>
  request(app, {
    method: 'GET',
    url: '/metrics',
    headers: authorization === undefined ? {} : { authorization },
  })

/** Lists the metrics in an expression, without suffixes of histograms. */
const listNames = (expression: string): string[] =>
  (expression.replaceAll(/"[^"]*"|\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, ' ').match(/[a-z][a-z_]+/g) ?? [])
    .filter(
      (name) =>
        name.includes('_') && !['histogram_quantile', 'probe_ssl_earliest_cert_expiry'].includes(name),
    )
    .map((name) => name.replace(/_(bucket|count|sum)$/, ''))

describe('liveness and readiness', () => {
  it('are public, with the state of components but no details', async () => {
    expect((await send(app, null, getLiveness)).json()).toEqual({ status: 'alive' })
    const ready = await send(app, null, getReadiness)
    expect([ready.statusCode, ready.json()]).toEqual([
      200,
      {
        status: 'ready',
        components: ['config', 'migrations', 'state', 'facts', 'jobs'].map((component) => ({
          component,
          ok: true,
        })),
      },
    ])
  })

  it('include versions for administrators and the metrics token', async () => {
    const asAdmin = (await send(app, city.admin, getReadiness)).json<{ components: object[] }>()
    const withToken = await request(app, {
      method: 'GET',
      url: '/readyz',
      headers: { authorization: `Bearer ${metricsToken}` },
    })
    expect(asAdmin.components).toContainEqual({
      component: 'facts',
      ok: true,
      detail: expect.stringMatching(/^ClickHouse \d+\.\d+/),
    })
    expect(withToken.json()).toEqual(asAdmin)
    const asViewer = await send(app, city.viewer, getReadiness)
    expect(asViewer.body).not.toContain('ClickHouse')
  })

  it('add an ID to every response, which a proxy may set', async () => {
    const own = await request(app, { method: 'GET', url: '/health' })
    const response = await request(app, {
      method: 'GET',
      url: '/health',
      headers: { 'x-request-id': 'proxy-0815-42' },
    })
    expect(own.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(response.headers['x-request-id']).toBe('proxy-0815-42')
  })
})

describe('server metrics', () => {
  it('require the token', async () => {
    expect([(await getMetrics()).statusCode, (await getMetrics('Bearer wrong')).statusCode]).toEqual([
      401, 401,
    ])
    const asAdmin = await getMetrics(`Bearer ${city.admin.token}`)
    expect(asAdmin.statusCode).toBe(401)
  })

  it('include every documented name, and those of dashboards and alerts', async () => {
    const response = await getMetrics(`Bearer ${metricsToken}`)
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    const served = new Set([...response.body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    expect(promisedNames.filter((name) => !served.has(name))).toEqual([])
    const board = JSON.parse(fs.readFileSync('ops/grafana/publicway.json', 'utf8')) as {
      panels: { targets?: { expr: string }[] }[]
    }
    const alerts = fs.readFileSync('ops/prometheus/alerts.yml', 'utf8')
    const expressions = [
      ...board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
      ...[...alerts.matchAll(/expr: (?:>-\n)?((?:.+\n)(?: {10}\/.+\n)?)/g)].map(([, expr = '']) => expr),
    ]
    const used = new Set(expressions.flatMap(listNames))
    expect(used.size).toBeGreaterThan(30)
    expect([...used].filter((name) => !served.has(name))).toEqual([])
  })

  it('describe the server without regions, users or addresses', async () => {
    const { body } = await getMetrics(`Bearer ${metricsToken}`)
    const getValue = (series: string): number =>
      Number(
        body
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.slice(series.length + 1),
      )
    expect(getValue('server_ready')).toBe(1)
    expect(getValue('migrations_pending{store="state"}')).toBe(0)
    expect(getValue('migrations_pending{store="facts"}')).toBe(0)
    expect(getValue('disk_free_bytes{volume="data"}')).toBeGreaterThan(0)
    expect(getValue('process_resident_memory_bytes')).toBeGreaterThan(1e8)
    expect(getValue('db_pool_wait_seconds_count{store="state"}')).toBeGreaterThan(10)
    expect(getValue('ch_query_duration_seconds_count{kind="read"}')).toBeGreaterThan(0)
    expect(getValue('jobs_queued{queue="import-files"}')).toBe(0)
    expect(
      getValue('http_request_duration_seconds_count{route="/readyz",method="GET",status="200"}'),
    ).toBeGreaterThan(0)
    for (const hidden of ['alder', city.admin.email, '10.0.0.1']) expect(body).not.toContain(hidden)
  })
})

test('a stopping server is alive and not ready, and still responds', async () => {
  // A process can have only one fact store.
  await app.close()
  app = await openTestApp()
  const withoutToken = await request(app, { method: 'GET', url: '/metrics' })
  expect(withoutToken.statusCode).toBe(404)
  app.operations.readiness.drain()
  const response = await send(app, null, getReadiness)
  expect([response.statusCode, response.json<{ status: string }>().status]).toEqual([503, 'draining'])
  expect((await send(app, null, getLiveness)).statusCode).toBe(200)
  expect((await request(app, { method: 'GET', url: '/v2/health' })).statusCode).toBe(200)
})

test('a missing store makes the server not ready, and only administrators see why', async () => {
  await app.close()
  app = await openTestApp(undefined, { METRICS_TOKEN: metricsToken })
  const { maintenance } = app.facts
  vi.spyOn(maintenance, 'version').mockRejectedValue(new Error('connection refused'))
  vi.spyOn(maintenance, 'pendingMigrations').mockRejectedValue(new Error('connection refused'))
  const details = { authorization: `Bearer ${metricsToken}` }
  const response = await request(app, { method: 'GET', url: '/readyz', headers: details })
  expect(response.statusCode).toBe(503)
  const { components } = response.json<{ components: { component: string; ok: boolean; detail: string }[] }>()
  expect(components.filter(({ ok }) => !ok)).toEqual(
    ['migrations', 'facts'].map((component) => ({ component, ok: false, detail: 'connection refused' })),
  )
  expect((await send(app, null, getReadiness)).body).not.toContain('refused')
})
