import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

/** The span that runs; its children name it as their parent. */
export interface SpanContext {
  traceId: string
  spanId: string
}

/** A finished span. Names are templates and attributes have no ids, addresses and parameters. */
export interface Span extends SpanContext {
  parentSpanId: string | null
  name: string
  kind: 'internal' | 'server' | 'client'
  /** Ms since 1970, with fractions. */
  start: number
  end: number
  attributes: Readonly<Record<string, string | number>>
  hasFailed: boolean
}

/** Numbers of OTLP's SpanKind. */
const kindNumbers = { internal: 1, server: 2, client: 3 } as const
const errorStatus = 2
/** Spans that wait to be sent; further ones are dropped. */
const maxWaiting = 5000
const sendIntervalMs = 5000
const sendTimeoutMs = 10_000

const nanoseconds = (ms: number): string => `${BigInt(Math.round(ms * 1000)) * 1000n}`

/** The body of OTLP/HTTP in JSON. */
export function otlpBody(spans: readonly Span[], version: string): object {
  const attribute = ([key, value]: [string, string | number]): object => ({
    key,
    value: typeof value === 'number' ? { intValue: String(Math.round(value)) } : { stringValue: value },
  })
  return {
    resourceSpans: [
      {
        resource: {
          attributes: Object.entries({ 'service.name': 'publicway', 'service.version': version }).map(
            attribute,
          ),
        },
        scopeSpans: [
          {
            scope: { name: 'publicway' },
            spans: spans.map((span) => ({
              traceId: span.traceId,
              spanId: span.spanId,
              ...(span.parentSpanId === null ? {} : { parentSpanId: span.parentSpanId }),
              name: span.name,
              kind: kindNumbers[span.kind],
              startTimeUnixNano: nanoseconds(span.start),
              endTimeUnixNano: nanoseconds(span.end),
              attributes: Object.entries(span.attributes).map(attribute),
              ...(span.hasFailed ? { status: { code: errorStatus } } : {}),
            })),
          },
        ],
      },
    ],
  }
}

interface ExporterOptions {
  /** Base of the collector, such as http://127.0.0.1:4318. */
  url: string
  version: string
  fetch: typeof fetch
  log: (line: string, details: Record<string, unknown>) => void
}

/** Sends spans to a collector in batches. Spans are lost when it is away: traces must never slow the server down. */
class Exporter {
  readonly #options: ExporterOptions
  readonly #timer: NodeJS.Timeout
  #waiting: Span[] = []
  #dropped = 0
  #isAway = false

  constructor(options: ExporterOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.send(), sendIntervalMs).unref()
  }

  add(span: Span): void {
    if (this.#waiting.length < maxWaiting) this.#waiting.push(span)
    else this.#dropped++
  }

  async send(): Promise<void> {
    const spans = this.#waiting
    if (!spans.length) return
    this.#waiting = []
    const { url, version, log } = this.#options
    try {
      const answer = await this.#options.fetch(`${url.replace(/\/$/, '')}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(otlpBody(spans, version)),
        signal: AbortSignal.timeout(sendTimeoutMs),
        redirect: 'error',
      })
      if (!answer.ok) throw new Error(`status ${answer.status}`)
      this.#isAway = false
    } catch (error) {
      // Once per outage.
      if (!this.#isAway) log('traces', { lost: spans.length + this.#dropped, error: String(error) })
      this.#isAway = true
    }
    this.#dropped = 0
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.send()
  }
}

const running = new AsyncLocalStorage<SpanContext>()
let exporter: Exporter | null = null

/** Turns traces on for this process. Returns how to send the last spans and turn them off. */
export function openTraces(options: ExporterOptions): () => Promise<void> {
  const opened = new Exporter(options)
  exporter = opened
  return async () => {
    if (exporter === opened) exporter = null
    await opened.close()
  }
}

const newId = (bytes: number): string => randomBytes(bytes).toString('hex')
const traceparent = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/

/** A span that began; it is sent once it ended. */
export interface OpenSpan {
  /** Runs a function, and everything it awaits, within the span. */
  run<Result>(work: () => Result): Result
  end(outcome: Pick<Span, 'name' | 'attributes' | 'hasFailed'>): void
}

/** Begins a span below the running one, or below that of a caller's `traceparent` header. Null while traces are off. */
export function beginSpan(kind: Span['kind'], header?: string): OpenSpan | null {
  const target = exporter
  if (!target) return null
  const [, traceId, spanId] = (header !== undefined && traceparent.exec(header)) || []
  const parent = traceId && spanId ? { traceId, spanId } : running.getStore()
  const context = { traceId: parent?.traceId ?? newId(16), spanId: newId(8) }
  const start = performance.timeOrigin + performance.now()
  return {
    run: (work) => running.run(context, work),
    end: (outcome) =>
      target.add({
        ...context,
        ...outcome,
        parentSpanId: parent?.spanId ?? null,
        kind,
        start,
        end: performance.timeOrigin + performance.now(),
      }),
  }
}

/** Runs work as a span. */
export async function traced<Result>(
  kind: Span['kind'],
  name: string,
  attributes: Span['attributes'],
  work: () => Promise<Result>,
): Promise<Result> {
  const span = beginSpan(kind)
  if (!span) return work()
  let hasFailed = true
  try {
    const result = await span.run(work)
    hasFailed = false
    return result
  } finally {
    span.end({ name, attributes, hasFailed })
  }
}
