import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { streamLiveVehicles } from '#contract/vehicles.ts'
import { EventStreamParser, followEvents, type StreamEvent } from './event-stream.ts'
import { sessionEnd } from './signals.ts'

const input = { params: { region_id: 'alder' }, query: {} }
const delays = { first: 1, max: 4, silence: 60 }

/** Behavior of the server per attempt; the last one repeats. */
type Attempt = { status?: number; chunks?: string[]; isKeptOpen?: boolean }
let requests: { url: string; headers: Record<string, string>; signal: AbortSignal }[] = []

function serve(attempts: Attempt[]): void {
  vi.stubGlobal(
    'fetch',
    async (url: string, { headers, signal }: { headers: Record<string, string>; signal: AbortSignal }) => {
      const {
        status = 200,
        chunks = [],
        isKeptOpen = false,
      } = attempts[Math.min(requests.length, attempts.length - 1)]!
      requests.push({ url, headers, signal })
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const text of chunks) controller.enqueue(new TextEncoder().encode(text))
          if (!isKeptOpen) controller.close()
          signal.addEventListener(
            'abort',
            () => isKeptOpen && controller.error(new DOMException('Aborted', 'AbortError')),
          )
        },
      })
      return new Response(body, { status })
    },
  )
}

function follow() {
  const abortController = new AbortController()
  const log: string[] = []
  const done = followEvents(streamLiveVehicles, input, {
    lastId: '5',
    signal: abortController.signal,
    delays,
    onOpen: () => log.push('open'),
    onEvent: ({ name, id }) => log.push(`${name} ${id}`),
    onInterrupted: (retryInMs) => log.push(retryInMs === null ? 'over' : 'interrupted'),
  })
  return { abortController, log, done }
}

beforeEach(() => {
  requests = []
  vi.stubGlobal('localStorage', { getItem: () => JSON.stringify({ user_id: 'u-7' }) })
})
afterEach(() => {
  vi.unstubAllGlobals()
  sessionEnd.write(null)
})

describe('followEvents', () => {
  it('reports events, sends the headers of every call, and resumes after the last id', async () => {
    serve([{ chunks: ['id: 6\nevent: vehicles\ndata: {}\n\n'] }, { isKeptOpen: true }])
    const { abortController, log, done } = follow()
    await vi.waitFor(() => expect(requests).toHaveLength(2))
    expect(requests.map(({ headers }) => [headers['last-event-id'], headers['impersonated-user']])).toEqual([
      ['5', 'u-7'],
      ['6', 'u-7'],
    ])
    expect(requests[0]?.url).toBe('/v2/regions/alder/vehicles/stream')
    await vi.waitFor(() => expect(log).toEqual(['open', 'vehicles 6', 'interrupted', 'open']))
    abortController.abort()
    await done
    expect(requests.at(-1)?.signal.aborted).toBe(true)
  })

  it('retries after failures and after a silence', async () => {
    serve([{ status: 503 }, { status: 429 }, { isKeptOpen: true, chunks: [': \n\n'] }, { isKeptOpen: true }])
    const { abortController, log, done } = follow()
    await vi.waitFor(() => expect(requests).toHaveLength(4))
    expect(log.slice(0, 4)).toEqual(['interrupted', 'interrupted', 'open', 'interrupted'])
    abortController.abort()
    await done
  })

  it('stops after a refusal, and reports a missing session', async () => {
    serve([{ status: 404 }])
    const refused = follow()
    await refused.done
    expect([refused.log, requests.length]).toEqual([['over'], 1])
    requests = []
    serve([{ status: 401 }])
    await follow().done
    expect(sessionEnd.read()).toEqual({ reason: 'expired' })
  })

  it('reports nothing after an abort, even during a delay', async () => {
    serve([{ status: 503 }])
    const { abortController, log, done } = follow()
    abortController.abort()
    await done
    expect(log).toEqual([])
  })
})

const stream =
  ': beat\n\nretry: 2000\nid: 7\nevent: hello\ndata: {"at":7}\n\ndata: one\ndata: two\n\nid: 9\r\nevent: vehicles\r\ndata:x\r\n\r\nid: 10\revent: late\rdata\r\rdata: not complete'
const events: StreamEvent[] = [
  { id: '7', name: 'hello', data: '{"at":7}' },
  { id: '7', name: 'message', data: 'one\ntwo' },
  { id: '9', name: 'vehicles', data: 'x' },
  { id: '10', name: 'late', data: '' },
]

it('parses events from text split anywhere', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: stream.length - 1 })), (cuts) => {
      const parser = new EventStreamParser()
      const ends = [0, ...cuts.toSorted((a, b) => a - b), stream.length]
      expect(ends.slice(1).flatMap((end, index) => parser.read(stream.slice(ends[index], end)))).toEqual(
        events,
      )
    }),
  )
})
