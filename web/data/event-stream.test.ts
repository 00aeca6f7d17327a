import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { streamLiveVehicles } from '#contract/vehicles.ts'
import { followEvents } from './event-stream.ts'
import { sessionEnd } from './signals.ts'

const given = { params: { region_id: 'alder' }, query: {} }
const waits = { first: 1, longest: 4, silence: 60 }

/** What the server does at each attempt; the last goes on. */
type Attempt = { status?: number; says?: string[]; stays?: boolean }
let asked: { url: string; headers: Record<string, string>; signal: AbortSignal }[] = []

function serve(attempts: Attempt[]): void {
  vi.stubGlobal(
    'fetch',
    async (url: string, { headers, signal }: { headers: Record<string, string>; signal: AbortSignal }) => {
      const {
        status = 200,
        says = [],
        stays = false,
      } = attempts[Math.min(asked.length, attempts.length - 1)]!
      asked.push({ url, headers, signal })
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const text of says) controller.enqueue(new TextEncoder().encode(text))
          if (!stays) controller.close()
          signal.addEventListener(
            'abort',
            () => stays && controller.error(new DOMException('Aborted', 'AbortError')),
          )
        },
      })
      return new Response(body, { status })
    },
  )
}

function follow() {
  const stop = new AbortController()
  const heard: string[] = []
  const done = followEvents(streamLiveVehicles, given, {
    lastId: '5',
    signal: stop.signal,
    delays: waits,
    onOpen: () => heard.push('open'),
    onEvent: ({ name, id }) => heard.push(`${name} ${id}`),
    onInterrupted: (again) => heard.push(again === null ? 'over' : 'interrupted'),
  })
  return { stop, heard, done }
}

beforeEach(() => {
  asked = []
  vi.stubGlobal('localStorage', { getItem: () => JSON.stringify({ user_id: 'u-7' }) })
})
afterEach(() => {
  vi.unstubAllGlobals()
  sessionEnd.write(null)
})

describe('followEvents', () => {
  it('tells events, with the headers of every call, and resumes after the last id', async () => {
    serve([{ says: ['id: 6\nevent: vehicles\ndata: {}\n\n'] }, { stays: true }])
    const { stop, heard, done } = follow()
    await vi.waitFor(() => expect(asked).toHaveLength(2))
    expect(asked.map(({ headers }) => [headers['last-event-id'], headers['impersonated-user']])).toEqual([
      ['5', 'u-7'],
      ['6', 'u-7'],
    ])
    expect(asked[0]?.url).toBe('/v2/regions/alder/vehicles/stream')
    await vi.waitFor(() => expect(heard).toEqual(['open', 'vehicles 6', 'interrupted', 'open']))
    stop.abort()
    await done
    expect(asked.at(-1)?.signal.aborted).toBe(true)
  })

  it('tries again after failures, and when the server falls silent', async () => {
    serve([{ status: 503 }, { status: 429 }, { stays: true, says: [': \n\n'] }, { stays: true }])
    const { stop, heard, done } = follow()
    await vi.waitFor(() => expect(asked).toHaveLength(4))
    expect(heard.slice(0, 4)).toEqual(['interrupted', 'interrupted', 'open', 'interrupted'])
    stop.abort()
    await done
  })

  it('gives up where it is refused; without a session it says so', async () => {
    serve([{ status: 404 }])
    const refused = follow()
    await refused.done
    expect([refused.heard, asked.length]).toEqual([['over'], 1])
    asked = []
    serve([{ status: 401 }])
    await follow().done
    expect(sessionEnd.read()).toEqual({ reason: 'expired' })
  })

  it('tells nothing once it is left, even while it waits', async () => {
    serve([{ status: 503 }])
    const { stop, heard, done } = follow()
    stop.abort()
    await done
    expect(heard).toEqual([])
  })
})
