import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { leaseMs } from '#server/feeds/pull/feed-leases.ts'
import { openPuller } from '#server/feeds/pull/feed-puller.ts'
import { createOAuthTokens } from '#server/feeds/auth/oauth-tokens.ts'
import { backfill, pullNow } from '#server/feeds/pull/backfill.ts'
import { findFeed } from '#server/feeds/find-feeds.ts'
import { openFeeds } from '#server/feeds/open-feeds.ts'
import { type SentRequest, openOperator, type OperatorServer } from '../feeds/operator-server.ts'
import { openTown } from '../feeds/feed-town.ts'
import { plainBody } from '../feeds/plain-adapter.ts'

let town: Awaited<ReturnType<typeof openTown>>
let operator: OperatorServer
const hourOf = (request: SentRequest): string => request.query.get('from') ?? ''
beforeAll(async () => {
  town = await openTown()
})
afterAll(() => town.close())
beforeEach(async () => {
  town.clock.at = new Date('2026-05-01T12:30:00Z')
  operator = await openOperator((request, response) =>
    response.end(plainBody([`${hourOf(request)}-a`, `${hourOf(request)}-b`])),
  )
})
afterEach(async () => {
  await operator.close()
  await town.store.deleteFrom('feed').execute()
  town.fleetIngest.batches.length = 0
  town.fleetIngest.ids.clear()
  town.logged.length = 0
})

/** Pulls all that is due, as a server that starts and stops. */
async function pull(): Promise<void> {
  const engine = openFeeds({ ...town.feeds, isAlone: true })
  await engine.idle()
  await engine.stop()
}
const requestedHours = (): string[] => operator.requests.map(hourOf).toSorted()
const statuses = async (): Promise<string[]> =>
  (await town.pullWindows()).map((row) => `${row.window_start.toISOString().slice(5, 13)} ${row.status}`)

describe('hours', () => {
  test('are pulled as configured at first, then each new one, and never twice', async () => {
    const { feedId } = await town.addFeed({ url: operator.url })
    await pull()
    expect(requestedHours()).toEqual(['2026-05-01T09', '2026-05-01T10', '2026-05-01T11'])
    await pull()
    expect(operator.requests).toHaveLength(3)
    town.clock.at = new Date('2026-05-01T15:00:00Z')
    await pull()
    expect(requestedHours().slice(3)).toEqual(['2026-05-01T12', '2026-05-01T13', '2026-05-01T14'])
    expect(await statuses()).toEqual([
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

  test('that are not ready are retried, and empty ones are not', async () => {
    let ready = false
    operator.respond = (request, response) => {
      if (hourOf(request).endsWith('T11'))
        response.writeHead(ready ? 200 : 202).end(ready ? plainBody(['late']) : '')
      else if (hourOf(request).endsWith('T10')) response.writeHead(404).end()
      else response.end(plainBody([]))
    }
    await town.addFeed({ url: operator.url })
    await pull()
    expect(await statuses()).toEqual(['05-01T09 done', '05-01T10 nothing', '05-01T11 waiting'])
    ready = true
    town.clock.at = new Date('2026-05-01T12:32:00Z')
    await pull()
    expect(await statuses()).toEqual(['05-01T09 done', '05-01T10 nothing', '05-01T11 done'])
    expect(requestedHours()).toEqual(['2026-05-01T09', '2026-05-01T10', '2026-05-01T11', '2026-05-01T11'])
  })

  test('that fail do not block later ones, and are reported until they succeed', async () => {
    let broken = true
    operator.respond = (request, response) =>
      broken && hourOf(request).endsWith('T10')
        ? response.writeHead(500).end('oops')
        : response.end(plainBody([hourOf(request)]))
    const { feedId } = await town.addFeed({ url: operator.url })
    await pull()
    const of = { region_id: 'alder', feed_id: feedId }
    expect(await findFeed(town.feeds, town.viewer.scope, of)).toMatchObject({
      problem: "events of May 1, 2026, 6:00 AM EDT: The operator's server failed (500).",
      problemSince: '2026-05-01T12:30:00.000Z',
      pullWindows: { done: 2, failed: 1 },
    })
    const failed = (await town.pullWindows()).find((row) => row.status === 'failed')
    expect(failed?.tries).toBe(1)
    expect(failed?.next_time.getTime()).toBeGreaterThanOrEqual(town.clock.at.getTime() + 60_000)
    expect(failed?.next_time.getTime()).toBeLessThanOrEqual(town.clock.at.getTime() + 72_000)
    // Not before its time; then again, and it is over.
    await pull()
    expect(operator.requests).toHaveLength(3)
    broken = false
    town.clock.at = new Date('2026-05-01T12:32:00Z')
    await pull()
    expect(await findFeed(town.feeds, town.viewer.scope, of)).toMatchObject({
      problem: null,
      problemSince: null,
      pullWindows: { done: 3, failed: 0 },
    })
  })

  test('of a span are backfilled once, or again on request', async () => {
    const { feedId } = await town.addFeed({ url: operator.url })
    await pull()
    const of = { region_id: 'alder', feed_id: feedId }
    const span = { streams: [], from: '2026-04-30T22:00:00Z', until: '2026-05-01T10:30:00Z', again: false }
    expect(
      await backfill(town.feeds, town.viewer.scope, { params: of, body: span, at: town.clock.at }),
    ).toEqual({ wanted: 11 })
    await pull()
    expect(operator.requests).toHaveLength(14)
    expect(
      await backfill(town.feeds, town.viewer.scope, { params: of, body: span, at: town.clock.at }),
    ).toEqual({ wanted: 0 })
    expect(
      await backfill(town.feeds, town.viewer.scope, {
        params: of,
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
        backfill(town.feeds, town.viewer.scope, { params: of, body: { ...span, ...bad }, at: town.clock.at }),
      ).rejects.toMatchObject({ code: 'validation_error' })
    await expect(
      backfill(town.feeds, town.stranger.scope, { params: of, body: span, at: town.clock.at }),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('pages', () => {
  test('follow one another, each stored before the next', async () => {
    operator.respond = (request, response) => {
      const page = Number(request.query.get('page') ?? 0)
      response.end(
        plainBody(
          [`${hourOf(request)}-${page}`],
          page < 4 ? { next: `/events?from=${hourOf(request)}&page=${page + 1}` } : {},
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

describe('streams of the present', () => {
  test('are polled at their interval, from the last success on', async () => {
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
    expect([hourOf(first!), first?.query.get('until')]).toEqual([
      '2026-05-01T11',
      String(town.clock.at.getTime()),
    ])
    town.clock.at = new Date('2026-05-01T14:40:00Z')
    await pull()
    // From a little before what is known.
    expect(hourOf(operator.requests.findLast(({ path }) => path === '/recent')!)).toBe('2026-05-01T12')
    expect((await town.pullWindows()).map((row) => row.status)).toEqual(['waiting', 'waiting'])
  })
})

describe('rate limits', () => {
  test('a Retry-After header is respected', async () => {
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

  test('at most two requests per feed and four in total run at once, and slow ones do not block others', async () => {
    const under = { now: 0, most: 0 }
    const waiting: (() => void)[] = []
    operator.respond = (request, response) => {
      under.now++
      under.most = Math.max(under.most, under.now)
      waiting.push(() => {
        under.now--
        response.end(plainBody([hourOf(request)]))
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

  test('of two servers on one store one pulls a feed; the other takes over when it is gone', async () => {
    await town.addFeed({ url: operator.url })
    const tokens = createOAuthTokens(town.feeds.fetch, town.feeds.now)
    const [one, two] = [openPuller(town.feeds, tokens), openPuller(town.feeds, tokens)]
    await one.idle()
    await two.idle()
    expect(operator.requests).toHaveLength(3)
    await town.store.updateTable('pull_window').set({ status: 'wanted' }).execute()
    await two.idle()
    expect(operator.requests).toHaveLength(3)
    // The first died without a word: its lease runs out.
    town.clock.at = new Date(town.clock.at.getTime() + leaseMs + 1000)
    await two.idle()
    expect(operator.requests).toHaveLength(6)
    await two.stop()
    await one.stop()
  })

  test('“pull now” does not wait for the interval', async () => {
    operator.respond = (_, response) => response.writeHead(500).end()
    const { feedId } = await town.addFeed({ url: operator.url })
    await pull()
    operator.respond = (request, response) => response.end(plainBody([hourOf(request)]))
    const of = { region_id: 'alder', feed_id: feedId }
    expect(await pullNow(town.feeds, town.viewer.scope, of, town.clock.at)).toEqual({ requested: 3 })
    await pull()
    expect((await town.pullWindows()).map((row) => row.status)).toEqual(['done', 'done', 'done'])
    await expect(pullNow(town.feeds, town.stranger.scope, of, town.clock.at)).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
