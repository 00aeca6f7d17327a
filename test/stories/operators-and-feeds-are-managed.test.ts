import fs from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { type PullWindow, NewFeed, pullWindowOrders } from '#contract/feeds.ts'
import { hourMs } from '#contract/period.ts'
import { createOAuthTokens } from '#server/feeds/auth/oauth-tokens.ts'
import { findFeed, listFeeds } from '#server/feeds/find-feeds.ts'
import { listPullWindows } from '#server/feeds/pull/list-pull-windows.ts'
import { listMdsOperators } from '#server/feeds/mds-operators.ts'
import { recordPushes } from '#server/feeds/record-pushes.ts'
import { openFeeds } from '#server/feeds/open-feeds.ts'
import { removeOldRaw } from '#server/feeds/raw/remove-old-raw.ts'
import { rereadRaw } from '#server/feeds/raw/reread-raw.ts'
import { changeFeed, createFeed, deleteFeed } from '#server/feeds/save-feed.ts'
import { testFeed } from '#server/feeds/test-feed.ts'
import {
  changeOperator,
  createOperator,
  deleteOperator,
  listManagedOperators,
} from '#server/operators/manage-operators.ts'
import type { Facts } from '#server/stores/facts.ts'
import { createMemoryFleetIngest } from '../feeds/memory-fleet-ingest.ts'
import { openOperator, type OperatorServer } from '../feeds/operator-server.ts'
import { openTown } from '../feeds/feed-town.ts'
import { plainAdapter, plainBody } from '../feeds/plain-adapter.ts'

let town: Awaited<ReturnType<typeof openTown>>
let operator: OperatorServer
/** A fact store that knows one operator, sufficient for the queries of this file. */
const facts = {
  rows: async (_scope: unknown, question: { values: readonly unknown[] }) =>
    JSON.stringify(question).includes('distinct') ? [{ operator: 'rides-only' }] : [],
} as unknown as Facts
const rideFacts = { rows: async () => [{ 1: 1 }] } as unknown as Facts
beforeAll(async () => {
  town = await openTown()
})
afterAll(() => town.close())
beforeEach(async () => {
  town.clock.at = new Date('2026-05-01T12:30:00Z')
  operator = await openOperator((request, response) =>
    response.end(plainBody([`${request.query.get('from')}-a`, null])),
  )
})
afterEach(async () => {
  await operator.close()
  await town.store.deleteFrom('feed').execute()
  town.fleetIngest.batches.length = 0
})
const makeFeed = (overrides: Partial<NewFeed> = {}) =>
  NewFeed.parse({
    kind: 'mds_provider',
    version: '2.0',
    name: 'Swift',
    operator: 'swift',
    url: operator.url,
    settings: { backfillHours: 2 },
    ...overrides,
  })
const signal = new AbortController().signal
async function pull(feeds = town.feeds): Promise<void> {
  const engine = openFeeds({ ...feeds, isAlone: true })
  await engine.idle()
  await engine.stop()
}

describe('a feed', () => {
  it('has defaults for its kind, and is changed in parts', async () => {
    const feed = await createFeed(town.feeds, {
      viewer: town.viewer,
      params: { region_id: 'alder' },
      body: makeFeed(),
      at: town.clock.at,
    })
    expect(feed).toMatchObject({
      intervalSeconds: 60,
      promisedMinutes: 120,
      enabled: true,
      auth: { kind: 'none' },
      problem: null,
      pullWindows: { wanted: 2, done: 0 },
      nextTime: '2026-05-01T12:30:00.000Z',
    })
    const params = { region_id: 'alder', feed_id: feed.feedId }
    expect(
      await changeFeed(town.feeds, {
        viewer: town.viewer,
        params,
        body: { name: 'Other', enabled: false, promisedMinutes: 30 },
        at: town.clock.at,
      }),
    ).toMatchObject({ name: 'Other', enabled: false, promisedMinutes: 30, url: operator.url, nextTime: null })
    await pull()
    expect(operator.requests).toEqual([])
    expect((await listFeeds(town.feeds, town.viewer.scope, 'alder')).map((feed) => feed.feedId)).toEqual([
      feed.feedId,
    ])
    expect(await deleteFeed(town.feeds, town.viewer.scope, params)).toEqual({ deleted: true })
    expect(await town.pullWindows()).toEqual([])
  })

  it.each([
    [{ version: '9.9' }, 'version'],
    [{ operator: null }, 'operator'],
    [{ operator: 'nobody' }, 'operator'],
    [{ url: null }, 'url'],
    [{ version: '1.2' }, 'version'],
    [{ kind: 'mds_agency' }, 'url'],
    [{ kind: 'mds_agency', url: null, operator: null }, 'operator'],
    [{ url: 'https://me:word@operator.example/' }, 'url'],
    [{ kind: 'weather', version: 'open_meteo' }, 'version'],
    [{ auth: { kind: 'bearer' } }, 'auth.token'],
  ] as const)('a feed of %j is rejected at %s', async (overrides, field) => {
    await expect(
      createFeed(town.feeds, {
        viewer: town.viewer,
        params: { region_id: 'alder' },
        body: makeFeed(overrides as Partial<NewFeed>),
        at: town.clock.at,
      }),
    ).rejects.toMatchObject({ code: 'validation_error', issues: [{ path: `body.${field}` }] })
  })

  it('is not visible to other organizations', async () => {
    const { feedId } = await createFeed(town.feeds, {
      viewer: town.viewer,
      params: { region_id: 'alder' },
      body: makeFeed(),
      at: town.clock.at,
    })
    const { scope } = town.stranger
    for (const input of [
      { region_id: 'alder', feed_id: feedId },
      { region_id: 'cedar', feed_id: feedId },
    ])
      for (const tried of [
        findFeed(town.feeds, scope, input),
        deleteFeed(town.feeds, scope, input),
        changeFeed(town.feeds, {
          viewer: town.stranger,
          params: input,
          body: { name: 'mine' },
          at: town.clock.at,
        }),
        listPullWindows(town.state.as(scope), input, { page: 1, size: 10, order_by: '-window_start' }),
        rereadRaw(town.feeds, scope, {
          params: input,
          body: { streams: [], from: '2026-01-01', until: '2027-01-01' },
          signal,
        }),
      ])
        await expect(tried).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      createFeed(town.feeds, {
        viewer: town.stranger,
        params: { region_id: 'alder' },
        body: makeFeed(),
        at: town.clock.at,
      }),
    ).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      testFeed(town.feeds, createOAuthTokens(town.feeds.fetch, town.feeds.now), {
        viewer: town.stranger,
        params: { region_id: 'cedar' },
        body: { feed_id: feedId, feed: null },
        signal,
      }),
    ).rejects.toMatchObject({ code: 'not_found' })
    expect(await listMdsOperators(town.state, town.viewer.scope, 'alder')).toEqual({
      items: [
        {
          slug: 'swift',
          name: 'Swift',
          colorHex: '#112233',
          providerId: '5f0cbe2c-4bb9-41ad-a2d5-84ca3bb9bd5a',
          versions: ['2.0'],
        },
      ],
    })
    expect(await listMdsOperators(town.state, scope, 'cedar')).toEqual({ items: [] })
  })
})

describe('a test of a feed', () => {
  const call = (input: Parameters<typeof testFeed>[2]['body']) =>
    testFeed(town.feeds, createOAuthTokens(town.feeds.fetch, town.feeds.now), {
      viewer: town.viewer,
      params: { region_id: 'alder' },
      body: input,
      signal,
    })

  it('requests each stream once, shows the records, and stores nothing', async () => {
    operator.respond = (request, response) =>
      response.end(
        request.path === '/events' ? plainBody([...'abcdefg', null, null], { next: '?page=2' }) : 'oops',
      )
    const tests = await call({
      feed_id: null,
      feed: makeFeed({
        settings: {
          streams: [
            { name: 'events', window: 'hour' },
            { name: 'trips', window: 'hour' },
          ],
        },
      }),
    })
    expect(tests).toMatchObject([
      {
        stream: 'events',
        status: 200,
        read: 7,
        setAside: 2,
        reasons: [{ reason: 'events[].id: It is missing.', count: 2 }],
        hasMore: true,
        problem: null,
        note: null,
        lists: [{ name: 'events', count: 7 }],
      },
      { stream: 'trips', status: 200, bytes: 4, read: 0, problem: 'This is not valid JSON.' },
    ])
    expect(tests[0]?.lists[0]?.first).toHaveLength(5)
    expect(tests[0]?.lists[0]?.first[0]).toMatchObject({ eventId: 'a', lon: -72, battery: null })
    expect([
      operator.requests.length,
      town.fleetIngest.batches.length,
      town.files().length,
      (await town.pullWindows()).length,
    ]).toEqual([2, 0, 0, 0])
    expect(operator.requests[0]?.query.get('from')).toBe('2026-05-01T10')
  })

  it('reports streams that are not ready, and rejects feeds that are not pulled', async () => {
    operator.respond = (_, response) => response.writeHead(202).end()
    const { feedId } = await createFeed(town.feeds, {
      viewer: town.viewer,
      params: { region_id: 'alder' },
      body: makeFeed(),
      at: town.clock.at,
    })
    expect(await call({ feed_id: feedId, feed: null })).toMatchObject([
      { status: 202, note: 'not_yet', problem: null },
    ])
    await operator.close()
    expect(await call({ feed_id: feedId, feed: null })).toMatchObject([
      { status: null, problem: 'Nothing is listening at this address.' },
    ])
    await expect(call({ feed_id: null, feed: null })).rejects.toMatchObject({ code: 'validation_error' })
    await expect(call({ feed_id: null, feed: makeFeed({ kind: 'mds_agency', url: null }) })).rejects.toThrow(
      'push',
    )
  })
})

describe('raw data of a feed', () => {
  it('is retained as configured for the region, and can be replayed', async () => {
    const { feedId } = await createFeed(town.feeds, {
      viewer: town.viewer,
      params: { region_id: 'alder' },
      body: makeFeed(),
      at: town.clock.at,
    })
    await pull()
    const params = { region_id: 'alder', feed_id: feedId }
    const listOwnFiles = (): string[] => town.files().filter((name) => name.includes(feedId))
    expect(listOwnFiles()).toHaveLength(2)
    const fleetIngest = createMemoryFleetIngest()
    const span = { streams: [], from: '2026-05-01T10:00:00Z', until: '2026-05-01T11:00:00Z' }
    expect(
      await rereadRaw({ ...town.feeds, fleetIngest }, town.viewer.scope, { params, body: span, signal }),
    ).toEqual({ files: 1, accepted: 1, setAside: 1, repeated: 0, unreadable: 0 })
    expect(fleetIngest.batches).toMatchObject([
      {
        feedId,
        stream: 'events',
        windowStart: Date.parse('2026-05-01T10:00:00Z'),
        received: town.clock.at.getTime(),
      },
    ])
    expect(fleetIngest.batches[0]).toEqual(
      town.fleetIngest.batches.find(({ windowStart }) => windowStart === fleetIngest.batches[0]?.windowStart),
    )
    // The fleet ingest already has all of it.
    expect(
      await rereadRaw(town.feeds, town.viewer.scope, {
        params,
        body: { ...span, until: '2026-05-02T00:00:00Z' },
        signal,
      }),
    ).toMatchObject({ files: 2, accepted: 0, repeated: 2 })
    expect(
      await rereadRaw(town.feeds, town.viewer.scope, {
        params,
        body: { ...span, streams: ['trips'] },
        signal,
      }),
    ).toMatchObject({ files: 0 })
    fs.writeFileSync(path.join(town.dataDir, 'raw', listOwnFiles()[0] ?? ''), 'damaged')
    expect(
      await rereadRaw(town.feeds, town.viewer.scope, {
        params,
        body: { ...span, until: '2026-05-02T00:00:00Z' },
        signal,
      }),
    ).toMatchObject({ files: 1, unreadable: 1 })
    expect(await removeOldRaw(town.state, town.feeds.blobs, new Date('2026-05-31T23:59:00Z'))).toBe(0)
    expect(await removeOldRaw(town.state, town.feeds.blobs, new Date('2026-06-01T00:00:00Z'))).toBe(1)
    expect(listOwnFiles()).toEqual([])
  })

  it('goes to the sink of its kind unless it is a fleet, and is an internal error without a sink', async () => {
    operator.respond = (_, response) => response.end(plainBody([], { other: [{ a: 1 }, { a: 2 }] }))
    const gbfs = { ...plainAdapter, kind: 'gbfs', versions: ['3.0'] }
    const records: unknown[] = []
    const feeds = { ...town.feeds, adapters: [gbfs] }
    const { feedId } = await createFeed(feeds, {
      viewer: town.viewer,
      params: { region_id: 'alder' },
      body: makeFeed({ kind: 'gbfs', version: '3.0', settings: { backfillHours: 1 } }),
      at: town.clock.at,
    })
    await pull(feeds)
    const params = { region_id: 'alder', feed_id: feedId }
    expect(await findFeed(feeds, town.viewer.scope, params)).toMatchObject({
      problem: 'events of May 1, 2026, 7:00 AM EDT: The server could not store what it fetched.',
    })
    expect(town.logged.join()).toContain('There is no sink for feeds of kind gbfs')
    town.clock.at = new Date('2026-05-01T12:35:00Z')
    await pull({
      ...feeds,
      sinks: {
        gbfs: async (feed, other, received) =>
          records.push([feed.regionId, feed.organizationId, other, received]),
      },
    })
    expect(records).toEqual([
      ['alder', town.organizations.alder, [{ a: 1 }, { a: 2 }], town.clock.at.getTime()],
    ])
    expect(await findFeed(feeds, town.viewer.scope, params)).toMatchObject({
      problem: null,
      lastRecordTime: town.clock.at.toISOString(),
      pullWindows: { done: 1 },
    })
  })
})

test('pull windows are listed by stream and status, newest first', async () => {
  operator.respond = (request, response) =>
    request.query.get('from')?.endsWith('T10')
      ? response.writeHead(500).end()
      : response.end(plainBody(['x']))
  const { feedId } = await createFeed(town.feeds, {
    viewer: town.viewer,
    params: { region_id: 'alder' },
    body: makeFeed({
      settings: {
        backfillHours: 3,
        streams: [
          { name: 'events', window: 'hour' },
          { name: 'status', window: 'now' },
        ],
      },
    }),
    at: town.clock.at,
  })
  await pull()
  const params = { region_id: 'alder', feed_id: feedId }
  const list = (call: object) =>
    listPullWindows(town.state.as(town.viewer.scope), params, {
      page: 1,
      size: 2,
      order_by: '-window_start',
      ...call,
    })
  expect(await list({})).toMatchObject({
    total: 3,
    streams: ['events'],
    items: [
      { windowStart: '2026-05-01T11:00:00.000Z', status: 'done', records: 1, nextTime: null },
      {
        windowStart: '2026-05-01T10:00:00.000Z',
        status: 'failed',
        tries: 1,
        problem: expect.stringContaining('500'),
      },
    ],
  })
  expect((await list({ page: 2 })).items.map(({ windowStart }) => windowStart)).toEqual([
    '2026-05-01T09:00:00.000Z',
  ])
  expect(await list({ status: 'failed' })).toMatchObject({ total: 1 })
  expect(await list({ stream: 'trips' })).toMatchObject({ total: 0, items: [] })
})

test('sorted pull windows appear once each over all pages, in order', async () => {
  const { feedId } = await createFeed(town.feeds, {
    viewer: town.viewer,
    params: { region_id: 'alder' },
    body: makeFeed(),
    at: town.clock.at,
  })
  await town.store.deleteFrom('pull_window').where('feed_id', '=', feedId).execute()
  // Hours of three streams, many with equal statuses and record counts.
  const begin = Date.parse('2026-04-01T00:00:00Z')
  const rows = Array.from({ length: 45 }, (_, index) => ({
    feed_id: feedId,
    region_id: 'alder',
    stream: ['events', 'trips', 'vehicles'][index % 3] ?? '',
    window_start: new Date(begin + Math.floor(index / 3) * hourMs),
    status: ['done', 'failed', 'wanted'][(index % 7) % 3] ?? '',
    records: index % 4,
    next_time: town.clock.at,
  }))
  await town.store.insertInto('pull_window').values(rows).execute()
  type Order = (typeof pullWindowOrders)[number]
  const list = (page: number, size: number, order_by: Order | `-${Order}`) =>
    listPullWindows(
      town.state.as(town.viewer.scope),
      { region_id: 'alder', feed_id: feedId },
      { page, size, order_by },
    )
  for (const key of pullWindowOrders)
    for (const order of [key, `-${key}` as const]) {
      const whole = (await list(1, 1000, order)).items
      expect([
        order,
        new Set(whole.map(({ stream, windowStart }) => `${stream} ${windowStart}`)).size,
      ]).toEqual([order, rows.length])
      const values = whole.map((row: PullWindow) => row[key === 'window_start' ? 'windowStart' : key])
      const sorted = values.toSorted((a, b) => (a < b ? -1 : Number(a > b)))
      expect([order, values]).toEqual([order, order === key ? sorted : sorted.toReversed()])
      const pages = await Promise.all(Array.from({ length: 7 }, (_, index) => list(index + 1, 7, order)))
      expect([order, pages.flatMap(({ items }) => items)]).toEqual([order, whole])
      expect([order, new Set(pages.map(({ total }) => total))]).toEqual([order, new Set([rows.length])])
    }
})

describe('operators', () => {
  const stores = (with_: Facts = facts) => ({ state: town.state, facts: with_ })
  it('are added, named, changed, and removed after their last data is gone', async () => {
    const made = await createOperator(stores(), town.viewer, {
      slug: 'glide',
      name: 'Glide',
      colorHex: '#aabbcc',
      providerId: null,
    })
    expect(made).toEqual({
      slug: 'glide',
      name: 'Glide',
      colorHex: '#aabbcc',
      providerId: null,
      isNamed: true,
      feeds: 0,
      hasTrips: false,
    })
    await expect(createOperator(stores(), town.viewer, { ...made, providerId: null })).rejects.toMatchObject({
      code: 'conflict',
    })
    await expect(
      changeOperator(stores(), town.viewer, 'glide', { providerId: '5f0cbe2c-4bb9-41ad-a2d5-84ca3bb9bd5a' }),
    ).rejects.toMatchObject({ code: 'conflict', message: 'Swift has this provider id.' })
    expect(await changeOperator(stores(), town.viewer, 'glide', { name: 'Glider' })).toMatchObject({
      name: 'Glider',
      colorHex: '#aabbcc',
    })
    expect(
      (await listManagedOperators(stores(), town.viewer)).map(({ slug, isNamed, hasTrips }) => [
        slug,
        isNamed,
        hasTrips,
      ]),
    ).toEqual([
      ['glide', true, false],
      ['rides-only', false, true],
      ['swift', true, false],
    ])
    expect(await changeOperator(stores(), town.viewer, 'rides-only', { name: 'Rides' })).toMatchObject({
      name: 'Rides',
      isNamed: true,
    })
    await expect(deleteOperator(stores(rideFacts), town.viewer, 'glide')).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await deleteOperator(stores(), town.viewer, 'glide')).toEqual({ deleted: true })
    await createFeed(town.feeds, {
      viewer: town.viewer,
      params: { region_id: 'alder' },
      body: makeFeed(),
      at: town.clock.at,
    })
    await expect(deleteOperator(stores(), town.viewer, 'swift')).rejects.toThrow('has feeds')
    await expect(deleteOperator(stores(), town.stranger, 'rides-only')).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(
      (await listManagedOperators(stores(), town.viewer)).find(({ slug }) => slug === 'swift')?.feeds,
    ).toBe(1)
  })
})

test('a push feed has the time of the last push', async () => {
  await town.store.deleteFrom('feed').execute()
  const agency = { ...plainAdapter, kind: 'mds_agency' }
  const feeds = { ...town.feeds, adapters: [plainAdapter, agency] }
  const pushed = await createFeed(feeds, {
    viewer: town.viewer,
    params: { region_id: 'alder' },
    body: makeFeed({ kind: 'mds_agency', url: null }),
    at: town.clock.at,
  })
  const pulled = await createFeed(feeds, {
    viewer: town.viewer,
    params: { region_id: 'alder' },
    body: makeFeed(),
    at: town.clock.at,
  })
  expect(pushed).toMatchObject({ nextTime: null, intervalSeconds: 60, promisedMinutes: 5 })
  const note = recordPushes(town.state, town.feeds.log)
  const received = Date.parse('2026-05-01T12:29:00Z')
  const records = plainAdapter.read(
    {
      ...pushed,
      feedId: '',
      timezone: '',
      lat: 0,
      lon: 0,
      providerId: '',
      operator: 'swift',
      url: '',
      settings: {},
      regionId: 'alder',
    },
    'events',
    Buffer.from(plainBody(['p'], { time: received - 5000 })),
    received,
  ).records
  for (const { feedId } of [pushed, pulled])
    note({
      organizationId: '',
      regionId: 'alder',
      operator: 'swift',
      feedId,
      stream: 'events',
      windowStart: received,
      received,
      records,
    })
  const showFeed = async (feed_id: string) =>
    findFeed(feeds, town.viewer.scope, { region_id: 'alder', feed_id })
  await expect
    .poll(async () => (await showFeed(pushed.feedId)).lastRecordTime)
    .toBe('2026-05-01T12:28:55.000Z')
  expect(await showFeed(pulled.feedId)).toMatchObject({ lastRecordTime: null })
  // A late record counts as pushed too.
  const late = received + 60_000
  note({
    organizationId: '',
    regionId: 'alder',
    operator: 'swift',
    feedId: pushed.feedId,
    stream: 'events',
    windowStart: late,
    received: late,
    records: { ...records, events: records.events.map((event) => ({ ...event, time: event.time - hourMs })) },
  })
  await expect
    .poll(async () => (await showFeed(pushed.feedId)).lastSuccessTime)
    .toBe(new Date(late).toISOString())
  expect((await showFeed(pushed.feedId)).lastRecordTime).toBe('2026-05-01T12:28:55.000Z')
})
