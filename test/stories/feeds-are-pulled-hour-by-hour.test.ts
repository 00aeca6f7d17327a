import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { leaseMs } from '#server/feeds/pull/feed-leases.ts'
import { openPuller } from '#server/feeds/pull/feed-puller.ts'
import { createOAuthTokens } from '#server/feeds/auth/oauth-tokens.ts'
import { backFillFeed, pullFeed } from '#server/feeds/pull/backfill.ts'
import { findFeed } from '#server/feeds/find-feeds.ts'
import { openFeeds } from '#server/feeds/open-feeds.ts'
import { type SentRequest, openOperator, type OperatorServer } from '../feeds/operator-server.ts'
import { openTown } from '../feeds/feed-town.ts'
import { plainBody } from '../feeds/plain-adapter.ts'

let town: Awaited<ReturnType<typeof openTown>>
let operator: OperatorServer
const getHour = (request: SentRequest): string => request.query.get('from') ?? ''
beforeAll(async () => {
  town = await openTown()
})
afterAll(() => town.close())
beforeEach(async () => {
  town.clock.at = new Date('2026-05-01T12:30:00Z')
  operator = await openOperator((request, response) =>
    response.end(plainBody([`${getHour(request)}-a`, `${getHour(request)}-b`])),
  )
})
afterEach(async () => {
  await operator.close()
  await town.store.deleteFrom('feed').execute()
  town.fleetIngest.batches.length = 0
  town.fleetIngest.ids.clear()
  town.logged.length = 0
})

/** Pulls everything that is due in a new engine, and stops it. */
async function pull(): Promise<void> {
  const engine = openFeeds({ ...town.feeds, isAlone: true })
  await engine.idle()
  await engine.stop()
}
const listRequestedHours = (): string[] => operator.requests.map(getHour).toSorted()
const listStatuses = async (): Promise<string[]> =>
  (await town.pullWindows()).map((row) => `${row.window_start.toISOString().slice(5, 13)} ${row.status}`)

describe('hours of a feed', () => {
  it('are pulled as configured at first, then each new one, and never twice', async () => {
    const { feedId } = await town.addFeed({ url: operator.url })
    await pull()
    expect(listRequestedHours()).toEqual(['2026-05-01T09', '2026-05-01T10', '2026-05-01T11'])
    await pull()
    expect(operator.requests).toHaveLength(3)
    town.clock.at = new Date('2026-05-01T15:00:00Z')
    await pull()
    expect(listRequestedHours().slice(3)).toEqual(['2026-05-01T12', '2026-05-01T13', '2026-05-01T14'])
    expect(await listStatuses()).toEqual([
      '05-01T09 done',
      '05-01T10 done',
      '05-01T11 done',
      '05-01T12 done',
      '05-01T13 done',
      '05-01T14 done',
    ])
    expect(town.fleetIngest.ids.size).toBe(12)
    const batch = town.fleetIngest.batches.find(
      ({ windowStart }) => windowStart === Date.parse('2026-05-01T11:00:00Z'),
    )
    expect(batch).toMatchObject({
      organizationId: town.organizations.alder,
      regionId: 'alder',
      operator: 'swift',
      feedId,
      stream: 'events',
      received: Date.parse('2026-05-01T12:30:00Z'),
    })
    const feed = await findFeed(town.feeds, town.viewer.scope, { region_id: 'alder', feed_id: feedId })
    expect(feed).toMatchObject({
      problem: null,
      lastSuccessTime: '2026-05-01T15:00:00.000Z',
      pullWindows: { done: 6, wanted: 0, failed: 0 },
      nextTime: null,
    })
  })

  it('hours of a feed that are not ready are retried, and empty ones are not', async () => {
    let ready = false
    operator.respond = (request, response) => {
      if (getHour(request).endsWith('T11'))
        response.writeHead(ready ? 200 : 202).end(ready ? plainBody(['late']) : '')
      else if (getHour(request).endsWith('T10')) response.writeHead(404).end()
      else response.end(plainBody([]))
    }
    await town.addFeed({ url: operator.url })
    await pull()
    expect(await listStatuses()).toEqual(['05-01T09 done', '05-01T10 nothing', '05-01T11 waiting'])
    ready = true
    town.clock.at = new Date('2026-05-01T12:32:00Z')
    await pull()
    expect(await listStatuses()).toEqual(['05-01T09 done', '05-01T10 nothing', '05-01T11 done'])
    expect(listRequestedHours()).toEqual(['2026-05-01T09', '2026-05-01T10', '2026-05-01T11', '2026-05-01T11'])
  })

  it('hours of a feed that fail do not block later ones, and are reported until they succeed', async () => {
    let broken = true
    operator.respond = (request, response) =>
      broken && getHour(request).endsWith('T10')
        ? response.writeHead(500).end('oops')
        : response.end(plainBody([getHour(request)]))
    const { feedId } = await town.addFeed({ url: operator.url })
    await pull()
    const params = { region_id: 'alder', feed_id: feedId }
    expect(await findFeed(town.feeds, town.viewer.scope, params)).toMatchObject({
      problem: "events of May 1, 2026, 6:00 AM EDT: The operator's server failed (500).",
      problemSince: '2026-05-01T12:30:00.000Z',
      pullWindows: { done: 2, failed: 1 },
    })
    const failed = (await town.pullWindows()).find((row) => row.status === 'failed')
    expect(failed?.tries).toBe(1)
    expect(failed?.next_time.getTime()).toBeGreaterThanOrEqual(town.clock.at.getTime() + 60_000)
    expect(failed?.next_time.getTime()).toBeLessThanOrEqual(town.clock.at.getTime() + 72_000)
    // The pull is not retried before its time; then it succeeds.
    await pull()
    expect(operator.requests).toHaveLength(3)
    broken = false
    town.clock.at = new Date('2026-05-01T12:32:00Z')
    await pull()
    expect(await findFeed(town.feeds, town.viewer.scope, params)).toMatchObject({
      problem: null,
      problemSince: null,
      pullWindows: { done: 3, failed: 0 },
    })
  })

  it('are backfilled once for a span, or again on request', async () => {
    const { feedId } = await town.addFeed({ url: operator.url })
    await pull()
    const params = { region_id: 'alder', feed_id: feedId }
    const span = { streams: [], from: '2026-04-30T22:00:00Z', until: '2026-05-01T10:30:00Z', again: false }
    expect(
      await backFillFeed(town.feeds, town.viewer.scope, { params, body: span, at: town.clock.at }),
    ).toEqual({
      wanted: 11,
    })
    await pull()
    expect(operator.requests).toHaveLength(14)
    expect(
      await backFillFeed(town.feeds, town.viewer.scope, { params, body: span, at: town.clock.at }),
    ).toEqual({
      wanted: 0,
    })
    expect(
      await backFillFeed(town.feeds, town.viewer.scope, {
        params,
        body: { ...span, again: true },
        at: town.clock.at,
      }),
    ).toEqual({ wanted: 13 })
    await pull()
    expect(operator.requests).toHaveLength(27)
    expect(town.fleetIngest.ids.size).toBe(28)
    for (const bad of [
      { streams: ['trips'] },
      { from: span.until, until: span.from },
      { from: '2020-01-01T00:00:00Z' },
    ])
      await expect(
        backFillFeed(town.feeds, town.viewer.scope, { params, body: { ...span, ...bad }, at: town.clock.at }),
      ).rejects.toMatchObject({ code: 'validation_error' })
    await expect(
      backFillFeed(town.feeds, town.stranger.scope, { params, body: span, at: town.clock.at }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('pages of a response', () => {
  it('are requested one after another, each stored before the next', async () => {
    operator.respond = (request, response) => {
      const page = Number(request.query.get('page') ?? 0)
      response.end(
        plainBody(
          [`${getHour(request)}-${page}`],
          page < 4 ? { next: `/events?from=${getHour(request)}&page=${page + 1}` } : {},
        ),
      )
    }
    const { feedId } = await town.addFeed({ url: operator.url, settings: { backfillHours: 1 } })
    await pull()
    expect([...town.fleetIngest.ids].toSorted()).toEqual(
      [0, 1, 2, 3, 4].map((page) => `2026-05-01T11-${page}`),
    )
    expect((await town.pullWindows()).map((row) => row.records)).toEqual([5])
    expect(town.files().filter((name) => name.includes(feedId))).toHaveLength(5)
  })
})

describe('streams of current data', () => {
  it('are polled at their interval, counted from the last success', async () => {
    await town.addFeed({
      url: operator.url,
      intervalSeconds: 30,
      settings: {
        backfillHours: 1,
        streams: [
          { name: 'status', window: 'now' },
          { name: 'recent', window: 'recent' },
        ],
      },
    })
    await pull()
    await pull()
    expect(operator.requests.map(({ path }) => path).toSorted()).toEqual(['/recent', '/status'])
    const first = operator.requests.find(({ path }) => path === '/recent')
    expect([getHour(first!), first?.query.get('until')]).toEqual([
      '2026-05-01T11',
      String(town.clock.at.getTime()),
    ])
    town.clock.at = new Date('2026-05-01T14:40:00Z')
    await pull()
    // The request starts slightly before the last known record.
    expect(getHour(operator.requests.findLast(({ path }) => path === '/recent')!)).toBe('2026-05-01T12')
    expect((await town.pullWindows()).map((row) => row.status)).toEqual(['waiting', 'waiting'])
  })
})

describe('a pull', () => {
  it('respects a Retry-After header', async () => {
    operator.respond = (_, response) => response.writeHead(429, { 'retry-after': '7200' }).end()
    await town.addFeed({ url: operator.url })
    const puller = openPuller(town.feeds, createOAuthTokens(town.feeds.fetch, town.feeds.now), {
      isAlone: true,
    })
    await puller.idle()
    const before = operator.requests.length
    expect(before).toBeLessThan(3)
    const rows = (await town.pullWindows()).filter((row) => row.status === 'failed')
    for (const row of rows)
      expect(row.next_time.getTime() - town.clock.at.getTime()).toBeGreaterThanOrEqual(7_200_000)
    await puller.stop()
  })

  it('runs at most two requests per feed and four in total, and slow ones do not block others', async () => {
    const under = { now: 0, most: 0 }
    const waiting: (() => void)[] = []
    operator.respond = (request, response) => {
      under.now++
      under.most = Math.max(under.most, under.now)
      waiting.push(() => {
        under.now--
        response.end(plainBody([getHour(request)]))
      })
    }
    for (const name of ['a', 'b', 'c', 'd']) await town.addFeed({ url: operator.url, name })
    const puller = openPuller(town.feeds, createOAuthTokens(town.feeds.fetch, town.feeds.now), {
      isAlone: true,
    })
    const done = puller.idle()
    await expect.poll(() => under.now).toBe(4)
    const answering = setInterval(() => waiting.shift()?.(), 5)
    await done
    clearInterval(answering)
    expect(under.most).toBe(4)
    expect(operator.requests).toHaveLength(12)
    await puller.stop()
  })

  it('runs on one of two servers with one store; the other takes over when it is gone', async () => {
    await town.addFeed({ url: operator.url })
    const tokens = createOAuthTokens(town.feeds.fetch, town.feeds.now)
    const [first, second] = [openPuller(town.feeds, tokens), openPuller(town.feeds, tokens)]
    await first.idle()
    await second.idle()
    expect(operator.requests).toHaveLength(3)
    await town.store.updateTable('pull_window').set({ status: 'wanted' }).execute()
    await second.idle()
    expect(operator.requests).toHaveLength(3)
    // The first server was killed, so its lease must expire.
    town.clock.at = new Date(town.clock.at.getTime() + leaseMs + 1000)
    await second.idle()
    expect(operator.requests).toHaveLength(6)
    await second.stop()
    await first.stop()
  })

  it('starts without waiting for the interval on request', async () => {
    operator.respond = (_, response) => response.writeHead(500).end()
    const { feedId } = await town.addFeed({ url: operator.url })
    await pull()
    operator.respond = (request, response) => response.end(plainBody([getHour(request)]))
    const params = { region_id: 'alder', feed_id: feedId }
    expect(await pullFeed(town.feeds, town.viewer.scope, params, town.clock.at)).toEqual({ requested: 3 })
    await pull()
    expect((await town.pullWindows()).map((row) => row.status)).toEqual(['done', 'done', 'done'])
    await expect(pullFeed(town.feeds, town.stranger.scope, params, town.clock.at)).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
