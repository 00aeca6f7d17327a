import { afterEach, describe, expect, it } from 'vitest'
import { beginSpan, openTraces, runTraced } from './traces.ts'

interface Sent {
  url: string
  body: {
    resourceSpans: [
      {
        resource: { attributes: { key: string; value: { stringValue?: string } }[] }
        scopeSpans: [
          {
            spans: {
              traceId: string
              spanId: string
              parentSpanId?: string
              name: string
              kind: number
              startTimeUnixNano: string
              endTimeUnixNano: string
              attributes: { key: string; value: object }[]
              status?: { code: number }
            }[]
          },
        ]
      },
    ]
  }
}

describe('traces', () => {
  const sent: Sent[] = []
  const logged: string[] = []
  let close = (): Promise<void> => Promise.resolve()
  const open = (status = 200): void => {
    close = openTraces({
      url: 'http://collector.example:4318/',
      version: '1.2.3',
      fetch: ((url: string, { body }: { body: string }) => {
        sent.push({ url, body: JSON.parse(body) as Sent['body'] })
        return Promise.resolve(new Response(null, { status }))
      }) as unknown as typeof fetch,
      log: (line, details) => void logged.push(`${line} ${JSON.stringify(details)}`),
    })
  }
  afterEach(async () => {
    await close()
    sent.length = logged.length = 0
  })
  const spans = () => sent.flatMap(({ body }) => body.resourceSpans[0].scopeSpans[0].spans)

  it('are off unless opened', async () => {
    expect(beginSpan('server')).toBeNull()
    expect(await runTraced('client', 'read', {}, () => Promise.resolve(7))).toBe(7)
    expect(sent).toEqual([])
  })

  it('are sent as OTLP, with parents, and in the trace of the caller', async () => {
    open()
    const caller = { trace: 'a'.repeat(32), span: 'b'.repeat(16) }
    const request = beginSpan('server', `00-${caller.trace}-${caller.span}-01`)
    await request?.run(async () => {
      await Promise.resolve()
      await runTraced('client', 'read', { 'db.system': 'clickhouse' }, () => Promise.resolve())
    })
    request?.end({ name: 'GET /regions', attributes: { 'http.response.status_code': 200 }, hasFailed: false })
    await close()
    expect(sent[0]?.url).toBe('http://collector.example:4318/v1/traces')
    const [child, parent] = spans()
    expect(parent).toMatchObject({
      traceId: caller.trace,
      parentSpanId: caller.span,
      kind: 2,
      name: 'GET /regions',
      attributes: [{ key: 'http.response.status_code', value: { intValue: '200' } }],
    })
    expect(child).toMatchObject({
      traceId: caller.trace,
      parentSpanId: parent?.spanId,
      kind: 3,
      attributes: [{ key: 'db.system', value: { stringValue: 'clickhouse' } }],
    })
    expect(child?.spanId).toMatch(/^[0-9a-f]{16}$/)
    expect(BigInt(child?.endTimeUnixNano ?? 0) >= BigInt(child?.startTimeUnixNano ?? 1)).toBe(true)
    expect(sent[0]?.body.resourceSpans[0].resource.attributes).toContainEqual({
      key: 'service.version',
      value: { stringValue: '1.2.3' },
    })
  })

  it('start a new trace if the header is invalid, and mark failures', async () => {
    open()
    for (const header of ['', 'x', `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`])
      beginSpan('server', header)?.end({ name: 'GET /', attributes: {}, hasFailed: false })
    await expect(
      runTraced('client', 'read', {}, () => Promise.reject(new Error('full of secrets'))),
    ).rejects.toThrow('full')
    await close()
    expect(new Set(spans().map(({ traceId }) => traceId)).size).toBe(4)
    expect(spans().every(({ parentSpanId }) => parentSpanId === undefined)).toBe(true)
    expect(spans().at(-1)?.status).toEqual({ code: 2 })
    expect(JSON.stringify(sent)).not.toContain('secrets')
  })

  it('are dropped if the collector is unavailable, which is logged once', async () => {
    open(503)
    beginSpan('server')?.end({ name: 'GET /', attributes: {}, hasFailed: false })
    await close()
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('status 503')
  })
})
