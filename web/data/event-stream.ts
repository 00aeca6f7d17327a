import type { Endpoint } from '#contract/endpoint.ts'
import { endpointUrl, type EndpointInput } from './endpoint-url.ts'
import { EventStreamParser, type StreamEvent } from './event-stream-parser.ts'
import { requestHeaders } from './request-headers.ts'
import { expectedApiVersion, hasVersionMismatch, sessionEnd } from './signals.ts'

/** Waits between attempts, ms: from the first to the longest. After so long a silence a stream counts as cut off: the server beats each 15 s. */
export const streamDelays = { first: 1000, longest: 30_000, silence: 40_000 }

export interface FollowOptions {
  /** The id after which it goes on. */
  lastId: string
  onEvent: (event: StreamEvent) => void
  onOpen: () => void
  /** It will be tried again after so many milliseconds; null: not any more. */
  onInterrupted: (again: number | null) => void
  signal: AbortSignal
  delays?: typeof streamDelays
}

/** A refusal that another attempt would meet again. */
class PermanentFailure extends Error {}

/** Follows server-sent events until `signal`: with the headers of every call, which EventSource cannot send. Cut off, it resumes after the last id. */
export async function followEvents<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  options: FollowOptions,
): Promise<void> {
  const { signal, onInterrupted, delays = streamDelays } = options
  let { lastId } = options
  let failures = 0
  const isOver = (): boolean => signal.aborted
  while (!isOver()) {
    try {
      await readStream(endpointUrl(endpoint, input), lastId, {
        ...options,
        delays,
        onOpen: () => ((failures = 0), options.onOpen()),
        onEvent: (event) => ((lastId = event.id), options.onEvent(event)),
      })
    } catch (error) {
      if (isOver()) return
      if (error instanceof PermanentFailure) return onInterrupted(null)
    }
    if (isOver()) return
    // Many who were cut off at once should not come back at once.
    const wait = Math.min(delays.longest, delays.first * 2 ** failures) * (0.75 + Math.random() / 2)
    failures += 1
    onInterrupted(wait)
    await pause(wait, signal)
  }
}

async function readStream(
  url: string,
  lastId: string,
  { onEvent, onOpen, signal, delays }: FollowOptions & { delays: typeof streamDelays },
): Promise<void> {
  const stop = new AbortController()
  const abortStream = (): void => stop.abort()
  signal.addEventListener('abort', abortStream, { once: true })
  let silence = setTimeout(abortStream, delays.silence)
  try {
    const response = await fetch(url, {
      headers: {
        accept: 'text/event-stream',
        'accept-language': 'en',
        'last-event-id': lastId,
        ...requestHeaders(),
      },
      credentials: 'same-origin',
      signal: stop.signal,
    })
    const version = response.headers.get('x-api-version')
    if (version !== null && version !== expectedApiVersion) hasVersionMismatch.write(true)
    if (response.status === 401) sessionEnd.write({ reason: 'expired' })
    if ([401, 403, 404, 422].includes(response.status)) throw new PermanentFailure(response.statusText)
    if (!response.ok || !response.body) throw new Error(response.statusText)
    onOpen()
    const [parser, decoder, reader] = [new EventStreamParser(), new TextDecoder(), response.body.getReader()]
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(silence)
      silence = setTimeout(abortStream, delays.silence)
      for (const event of parser.read(decoder.decode(value, { stream: true }))) onEvent(event)
    }
  } finally {
    clearTimeout(silence)
    stop.abort()
    signal.removeEventListener('abort', abortStream)
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
