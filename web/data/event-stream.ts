import type { Endpoint } from '#contract/endpoint.ts'
import { addressOf, type Given } from './address-of.ts'
import { EventBlocks, type StreamEvent } from './event-blocks.ts'
import { requestHeaders } from './request-headers.ts'
import { expectedApiVersion, otherVersion, sessionEnd } from './signals.ts'

/** Waits between attempts, ms: from the first to the longest. After so long a silence a stream counts as cut off: the server beats each 15 s. */
export const streamWaits = { first: 1000, longest: 30_000, silence: 40_000 }

export interface Following {
  /** The id after which it goes on. */
  lastId: string
  onEvent: (event: StreamEvent) => void
  onOpen: () => void
  /** It will be tried again after so many milliseconds; null: not any more. */
  onInterrupted: (again: number | null) => void
  signal: AbortSignal
  waits?: typeof streamWaits
}

/** A refusal that another attempt would meet again. */
class Refused extends Error {}

/** Follows server-sent events until `signal`: with the headers of every call, which EventSource cannot send. Cut off, it resumes after the last id. */
export async function followEvents<E extends Endpoint>(
  endpoint: E,
  given: Given<E>,
  following: Following,
): Promise<void> {
  const { signal, onInterrupted, waits = streamWaits } = following
  let { lastId } = following
  let failures = 0
  const isOver = (): boolean => signal.aborted
  while (!isOver()) {
    try {
      await readStream(addressOf(endpoint, given), lastId, {
        ...following,
        waits,
        onOpen: () => ((failures = 0), following.onOpen()),
        onEvent: (event) => ((lastId = event.id), following.onEvent(event)),
      })
    } catch (error) {
      if (isOver()) return
      if (error instanceof Refused) return onInterrupted(null)
    }
    if (isOver()) return
    // Many who were cut off at once should not come back at once.
    const wait = Math.min(waits.longest, waits.first * 2 ** failures) * (0.75 + Math.random() / 2)
    failures += 1
    onInterrupted(wait)
    await pause(wait, signal)
  }
}

async function readStream(
  url: string,
  lastId: string,
  { onEvent, onOpen, signal, waits }: Following & { waits: typeof streamWaits },
): Promise<void> {
  const stop = new AbortController()
  const leave = (): void => stop.abort()
  signal.addEventListener('abort', leave, { once: true })
  let silence = setTimeout(leave, waits.silence)
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
    if (version !== null && version !== expectedApiVersion) otherVersion.write(true)
    if (response.status === 401) sessionEnd.write({ reason: 'expired' })
    if ([401, 403, 404, 422].includes(response.status)) throw new Refused(response.statusText)
    if (!response.ok || !response.body) throw new Error(response.statusText)
    onOpen()
    const [blocks, decoder, reader] = [new EventBlocks(), new TextDecoder(), response.body.getReader()]
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(silence)
      silence = setTimeout(leave, waits.silence)
      for (const event of blocks.read(decoder.decode(value, { stream: true }))) onEvent(event)
    }
  } finally {
    clearTimeout(silence)
    stop.abort()
    signal.removeEventListener('abort', leave)
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
