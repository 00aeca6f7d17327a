import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '#web/data/api-error.ts'
import { LiveFeed } from './live-feed.ts'
import { liveVehicles } from './test-fleet.ts'

/** A server with a sequence of lists, and a stream that the test controls. */
function serve(lists: (object | number)[]) {
  let say = (_text: string): void => undefined
  let listed = 0
  const streams: string[] = []
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal(
    'fetch',
    async (url: string, { headers, signal }: { headers: Record<string, string>; signal: AbortSignal }) => {
      if (url.endsWith('/live')) {
        const response = lists[Math.min(listed, lists.length - 1)]!
        listed += 1
        return typeof response === 'number'
          ? new Response('{"detail":"No."}', { status: response })
          : new Response(JSON.stringify(response))
      }
      streams.push(headers['last-event-id']!)
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          say = (text) => controller.enqueue(new TextEncoder().encode(text))
          signal.addEventListener('abort', () => controller.error(new DOMException('Aborted', 'AbortError')))
        },
      })
      return new Response(body)
    },
  )
  const event = (name: string, data: object, id = 0): void =>
    say(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  return { streams, event, listed: () => listed }
}

afterEach(() => vi.unstubAllGlobals())

const open = async (lists: (object | number)[]) => {
  const server = serve(lists)
  const feed = new LiveFeed()
  const stop = feed.start('alder')
  return { server, feed, stop }
}

describe('LiveFeed', () => {
  it('loads the list, then applies changes that follow it', async () => {
    const { server, feed, stop } = await open([liveVehicles([{ handle: 0 }, { handle: 1 }], { at: 100 })])
    expect(feed.state.read().kind).toBe('loading')
    await vi.waitFor(() => expect(feed.state.read().kind).toBe('live'))
    expect(server.streams).toEqual(['100'])
    expect(feed.columns.count).toBe(2)
    const before = feed.version.read()
    server.event('vehicles', liveVehicles([{ handle: 5 }], { at: 103, gone: [0] }), 103)
    await vi.waitFor(() => expect(feed.version.read()).toBe(before + 1))
    expect([feed.columns.count, feed.columns.isThere[0], feed.columns.isThere[5]]).toEqual([2, 0, 1])
    // Already in the list.
    server.event('vehicles', liveVehicles([{ handle: 9 }], { at: 99 }), 99)
    server.event('stations', {}, 103)
    await vi.waitFor(() => expect(feed.stations.read()).toBe(1))
    expect(feed.columns.count).toBe(2)
    stop()
  })

  it('accepts the list of a reset, whatever its sequence number', async () => {
    const { server, feed, stop } = await open([liveVehicles([{ handle: 0 }], { at: 100 })])
    await vi.waitFor(() => expect(feed.state.read().kind).toBe('live'))
    server.event('reset', liveVehicles([{ handle: 3 }, { handle: 4 }], { at: 90 }), 90)
    await vi.waitFor(() => expect(feed.columns.count).toBe(2))
    expect([server.listed(), feed.columns.at, feed.columns.isThere[0]]).toEqual([1, 90, 0])
    stop()
  })

  it('uses a prefetched list, and reports if that failed', async () => {
    const server = serve([liveVehicles([{ handle: 9 }])])
    const feed = new LiveFeed()
    const stop = feed.start('alder', Promise.resolve(liveVehicles([{ handle: 0 }, { handle: 1 }], { at: 7 })))
    await vi.waitFor(() => expect(feed.state.read().kind).toBe('live'))
    expect([server.listed(), server.streams, feed.columns.count]).toEqual([0, ['7'], 2])
    stop()
    const second = new LiveFeed()
    second.start(
      'alder',
      Promise.reject(
        new ApiError({ url: '/', method: 'GET', status: 500, statusText: '', body: null, request: null }),
      ),
    )
    await vi.waitFor(() =>
      expect(second.state.read()).toMatchObject({ kind: 'failed', error: { status: 500 } }),
    )
  })

  it('reports a failure, and retries on restart', async () => {
    const { feed, stop } = await open([500, liveVehicles([{ handle: 0 }])])
    await vi.waitFor(() =>
      expect(feed.state.read()).toMatchObject({ kind: 'failed', changed: null, error: { status: 500 } }),
    )
    feed.restart('alder')
    await vi.waitFor(() => expect(feed.state.read()).toMatchObject({ kind: 'live', error: null }))
    expect(feed.columns.count).toBe(1)
    stop()
  })

  it('reports nothing after it was stopped', async () => {
    const { feed, stop } = await open([liveVehicles([{ handle: 0 }])])
    stop()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(feed.state.read().kind).toBe('loading')
    expect(feed.columns.count).toBe(0)
  })
})
