import type { Endpoint } from '#contract/endpoint.ts'
import { endpointUrl, type EndpointInput } from './endpoint-url.ts'
import { requestHeaders } from './request-headers.ts'
import { expectedApiVersion, hasVersionMismatch, sessionEnd } from './signals.ts'

/** One received server-sent event. */
export interface StreamEvent {
  /** Id of this event, or of the last event that had one. */
  id: string
  name: string
  data: string
}

/**
 * First and maximum delay between attempts, in ms, and the silence after which a stream counts as cut off.
 * The server sends a heartbeat every 15 s.
 */
export const streamDelays = { first: 1000, max: 30_000, silence: 40_000 }

export interface FollowOptions {
  /** Id after which the stream starts. */
  lastId: string
  onEvent: (event: StreamEvent) => void
  onOpen: () => void
  /** Called with the milliseconds until the next attempt; null if there will be none. */
  onInterrupted: (retryInMs: number | null) => void
  signal: AbortSignal
  delays?: typeof streamDelays
}

/** A refusal that a retry would not change. */
class PermanentFailure extends Error {}

/**
 * Follows server-sent events until `signal` is aborted. Unlike EventSource it sends the headers of every
 * call. After an interruption it resumes after the last id.
 */
export async function followEvents<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  options: FollowOptions,
): Promise<void> {
  const { signal, onInterrupted, delays = streamDelays } = options
  let { lastId } = options
  let failures = 0
  const isAborted = (): boolean => signal.aborted
  while (!isAborted()) {
    try {
      await readStream(endpointUrl(endpoint, input), lastId, {
        ...options,
        delays,
        onOpen: () => {
          failures = 0
          options.onOpen()
        },
        onEvent: (event) => {
          lastId = event.id
          options.onEvent(event)
        },
      })
    } catch (error) {
      if (isAborted()) return
      if (error instanceof PermanentFailure) return onInterrupted(null)
    }
    if (isAborted()) return
    // Random, between 75% and 125%, so that clients that were cut off together do not return at the same moment.
    const delayMs = Math.min(delays.max, delays.first * 2 ** failures) * (0.75 + Math.random() / 2)
    failures += 1
    onInterrupted(delayMs)
    await pause(delayMs, signal)
  }
}

/** Reads one connection until it ends or is silent for too long. */
async function readStream(
  url: string,
  lastId: string,
  { onEvent, onOpen, signal, delays }: FollowOptions & { delays: typeof streamDelays },
): Promise<void> {
  const abortController = new AbortController()
  const abortStream = (): void => abortController.abort()
  signal.addEventListener('abort', abortStream, { once: true })
  let silenceTimer = setTimeout(abortStream, delays.silence)
  try {
    const response = await fetch(url, {
      headers: {
        accept: 'text/event-stream',
        'accept-language': 'en',
        'last-event-id': lastId,
        ...requestHeaders(),
      },
      credentials: 'same-origin',
      signal: abortController.signal,
    })
    const version = response.headers.get('x-api-version')
    if (version !== null && version !== expectedApiVersion) hasVersionMismatch.write(true)
    if (response.status === 401) sessionEnd.write({ reason: 'expired' })
    if ([401, 403, 404, 422].includes(response.status)) throw new PermanentFailure(response.statusText)
    if (!response.ok || !response.body) throw new Error(response.statusText)
    onOpen()
    const parser = new EventStreamParser()
    const decoder = new TextDecoder()
    const reader = response.body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(silenceTimer)
      silenceTimer = setTimeout(abortStream, delays.silence)
      for (const event of parser.read(decoder.decode(value, { stream: true }))) onEvent(event)
    }
  } finally {
    clearTimeout(silenceTimer)
    abortController.abort()
    signal.removeEventListener('abort', abortStream)
  }
}

/** Resolves after a time, or when the signal is aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })

/** Parses server-sent events from chunks of text that may end anywhere (HTML standard, 9.2.6). */
export class EventStreamParser {
  #buffer = ''
  #id = ''

  /** Returns the events completed by a chunk; comments are ignored. */
  read(chunk: string): StreamEvent[] {
    // A line ends with CR, LF or both; a CR at the very end may be the first half of CRLF.
    const text = this.#buffer + chunk
    const completeLength = text.endsWith('\r') ? text.length - 1 : text.length
    const blocks = text.slice(0, completeLength).replaceAll(/\r\n?/g, '\n').split('\n\n')
    this.#buffer = (blocks.pop() ?? '') + text.slice(completeLength)
    return blocks.flatMap((block) => this.#parseEvent(block))
  }

  #parseEvent(block: string): StreamEvent[] {
    let name = 'message'
    const data: string[] = []
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':')
      if (colon === 0) continue
      const field = colon < 0 ? line : line.slice(0, colon)
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
      if (field === 'id' && !value.includes('\0')) this.#id = value
      else if (field === 'event') name = value
      else if (field === 'data') data.push(value)
    }
    return data.length > 0 ? [{ id: this.#id, name, data: data.join('\n') }] : []
  }
}
