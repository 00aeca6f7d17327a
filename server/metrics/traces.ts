import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { getErrorMessage } from '#contract/problem-text.ts'

/** The ids of the current span, which is the parent of spans that start within it. */
export interface SpanContext {
  traceId: string
  spanId: string
}

/** A finished span. Names are templates, and attributes contain no ids, addresses or parameters. */
export interface Span extends SpanContext {
  parentSpanId: string | null
  name: string
  kind: 'internal' | 'server' | 'client'
  /** Milliseconds since 1970, with fractions. */
  start: number
  end: number
  attributes: Readonly<Record<string, string | number>>
  hasFailed: boolean
}

/** SpanKind of OTLP. */
const kindNumbers = { internal: 1, server: 2, client: 3 } as const
/** StatusCode of OTLP. */
const errorStatus = 2
/** Maximum number of spans that wait to be sent. Further ones are dropped. */
const maxWaitingSpans = 5000
const sendIntervalMs = 5000
const sendTimeoutMs = 10_000

/** Converts ms to nanoseconds as text, with the precision of microseconds. */
const toNanoseconds = (ms: number): string => `${BigInt(Math.round(ms * 1000)) * 1000n}`

/** Creates the body of an OTLP/HTTP request, as JSON. */
export function createOtlpBody(spans: readonly Span[], version: string): object {
  const toAttribute = ([key, value]: [string, string | number]): object => ({
    key,
    value: typeof value === 'number' ? { intValue: String(Math.round(value)) } : { stringValue: value },
  })
  return {
    resourceSpans: [
      {
        resource: {
          attributes: Object.entries({ 'service.name': 'publicway', 'service.version': version }).map(
            toAttribute,
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
              startTimeUnixNano: toNanoseconds(span.start),
              endTimeUnixNano: toNanoseconds(span.end),
              attributes: Object.entries(span.attributes).map(toAttribute),
              ...(span.hasFailed ? { status: { code: errorStatus } } : {}),
            })),
          },
        ],
      },
    ],
  }
}

interface ExporterOptions {
  /** Base URL of the collector, such as http://127.0.0.1:4318. */
  url: string
  version: string
  fetch: typeof fetch
  log: (line: string, details: Record<string, unknown>) => void
}

/** Sends spans in batches. Drops them if the collector is unavailable, so that nothing is slowed down. */
class Exporter {
  readonly #options: ExporterOptions
  readonly #timer: NodeJS.Timeout
  #waiting: Span[] = []
  #dropped = 0
  #isUnavailable = false

  constructor(options: ExporterOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.send(), sendIntervalMs).unref()
  }

  add(span: Span): void {
    if (this.#waiting.length < maxWaitingSpans) this.#waiting.push(span)
    else this.#dropped++
  }

  async send(): Promise<void> {
    const spans = this.#waiting
    if (!spans.length) return
    this.#waiting = []
    const { url, version, log } = this.#options
    try {
      const response = await this.#options.fetch(`${url.replace(/\/$/, '')}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(createOtlpBody(spans, version)),
        signal: AbortSignal.timeout(sendTimeoutMs),
        redirect: 'error',
      })
      if (!response.ok) throw new Error(`status ${response.status}`)
      this.#isUnavailable = false
    } catch (error) {
      // Logged once per outage.
      if (!this.#isUnavailable)
        log('traces could not be sent', { lost: spans.length + this.#dropped, error: getErrorMessage(error) })
      this.#isUnavailable = true
    }
    this.#dropped = 0
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.send()
  }
}

const currentSpan = new AsyncLocalStorage<SpanContext>()
let exporter: Exporter | null = null

/** Turns traces on for this process. Returns a function that sends the last spans and turns them off. */
export function openTraces(options: ExporterOptions): () => Promise<void> {
  const newExporter = new Exporter(options)
  exporter = newExporter
  return async () => {
    if (exporter === newExporter) exporter = null
    await newExporter.close()
  }
}

const createId = (bytes: number): string => randomBytes(bytes).toString('hex')
/** The header of W3C Trace Context: version, trace id, parent id and flags. */
const traceparentPattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/

/** A started span. It is sent after it ends. */
export interface OpenSpan {
  /** Runs a function, and everything it awaits, within the span. */
  run<Result>(work: () => Result): Result
  end(outcome: Pick<Span, 'name' | 'attributes' | 'hasFailed'>): void
}

/** Starts a span below that of the `traceparent` header, or else the current one; null if traces are off. */
export function beginSpan(kind: Span['kind'], header?: string): OpenSpan | null {
  // The span is sent to the current exporter, even if traces are turned off before it ends.
  const spanExporter = exporter
  if (!spanExporter) return null
  const [, traceId, spanId] = (header !== undefined && traceparentPattern.exec(header)) || []
  const parent = traceId && spanId ? { traceId, spanId } : currentSpan.getStore()
  const context = { traceId: parent?.traceId ?? createId(16), spanId: createId(8) }
  const start = performance.timeOrigin + performance.now()
  return {
    run: (work) => currentSpan.run(context, work),
    end: (outcome) =>
      spanExporter.add({
        ...context,
        ...outcome,
        parentSpanId: parent?.spanId ?? null,
        kind,
        start,
        end: performance.timeOrigin + performance.now(),
      }),
  }
}

/** Runs work within a span. */
export async function runTraced<Result>(
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
