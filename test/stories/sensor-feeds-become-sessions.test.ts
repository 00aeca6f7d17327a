// Sensors are pulled by the CDS Events API, 1.1 and 1.0; the activity map and CDS Metrics are derived.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCdsToken } from '#contract/cds-tokens.ts'
import { getCurbActivity, listCurbZoneSessions } from '#contract/curb-sessions.ts'
import { backFillFeed, changeFeed, createFeed, listFeeds, pullFeed, testFeed } from '#contract/feeds.ts'
import { hourMs, minuteMs } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import { facts, sql } from '#server/stores/sql.ts'
import { insertRegion } from '../store-region.ts'
import { call, openTestApp, request, type TestApp } from '../app.ts'
import { whenCurbIsDerived } from '../curb-zones.ts'
import { makePeople, type TestCity } from '../city.ts'
import { type MadeZone, makeZones } from '../curb/make-zones.ts'
import { openOperator, type OperatorServer } from '../feeds/operator-server.ts'

const region_id = 'sensors'
const params = { region_id }
const now = Date.now()
/** 08:00 in the region, two days ago. */
const eightAm = Math.floor(now / (24 * hourMs)) * 24 * hourMs - 40 * hourMs
const day = new Date(eightAm).toISOString().slice(0, 10)

let app: TestApp
let city: TestCity
let zones: MadeZone[]
let vendor: OperatorServer
/** Events that the vendors publish, in any order; a page of 1.1 has two events. */
const published: Record<'new' | 'old', Record<string, unknown>[]> = { new: [], old: [] }
const feedIds = { new: '', old: '' }

const makeEvent = (zone: number, type: string, at: number, overrides: object = {}) => ({
  event_id: randomUUID(),
  event_type: type,
  event_time: at,
  event_publication_time: at + 1000,
  data_source_type: 'in_ground',
  data_source_device_id: `sensor ${zone}`,
  curb_zone_id: zones[zone]?.zoneId,
  ...overrides,
})

beforeAll(async () => {
  app = await openTestApp(undefined, { PRIVATE_ADDRESSES: 'on' })
  city = await makePeople(app)
  const organization_id = city.organizations.alder
  await insertRegion(app.state, { organization_id, region_id, lat: 41, lon: -72 })
  ;({ zones } = await makeZones(app.state, region_id, { lon: -72, lat: 41, capacities: [2, 2, 2, 2] }))
  vendor = await openOperator(({ path, query, headers }, response) => {
    const isOld = path === '/old/events'
    const version = isOld ? '1.0' : '1.1'
    const send = (status: number, body: object = {}): void => {
      response.writeHead(status, { 'content-type': `application/vnd.cds+json;version=${version}` })
      response.end(JSON.stringify(body))
    }
    if (isOld ? headers['x-api-key'] !== 'old-key' : headers.authorization !== 'Bearer new-key')
      return send(401)
    if (!headers.accept?.endsWith(version)) return send(406)
    if (isOld) return send(200, { version, data: { events: published.old }, links: { next: '' } })
    const requestedHour = query.get('event_time')
    const events = published.new.filter(({ event_time: time }) =>
      requestedHour === null
        ? Number(time) > now - hourMs
        : Number(time) < 1e11 || new Date(Number(time)).toISOString().startsWith(requestedHour),
    )
    const page = Number(query.get('page') ?? 1)
    const next = new URLSearchParams({ ...Object.fromEntries(query), page: String(page + 1) })
    send(200, {
      version,
      data: { events: events.slice(2 * page - 2, 2 * page) },
      links: { next: events.length > 2 * page ? `${vendor.url}${path}?${next.toString()}` : null },
    })
  })
})
afterAll(async () => {
  await vendor.close()
  await app.close()
})

/** Pulls all open hours of both feeds, and derives what depends on them. */
async function pull(): Promise<void> {
  for (const feed_id of Object.values(feedIds).filter(Boolean))
    await call(app, city.admin, pullFeed, { params: { region_id, feed_id } })
  await app.feeds.idle()
  await whenCurbIsDerived(app)
}
/** Pulls the hours of the day again, including those that were pulled. */
async function pullDay(): Promise<void> {
  const span = {
    from: new Date(eightAm - hourMs).toISOString(),
    until: new Date(eightAm + 6 * hourMs).toISOString(),
  }
  await call(app, city.admin, backFillFeed, {
    params: { region_id, feed_id: feedIds.new },
    body: { ...span, again: true },
  })
  await pull()
}
const readFeed = async (kind: 'new' | 'old') => {
  const all = await call(app, city.admin, listFeeds, { params })
  return all.find(({ feedId }) => feedId === feedIds[kind])
}
const readLiveZone = async (zone: number) => {
  const { zones: live } = await call(app, city.viewer, getCurbActivity, { params })
  return live.find(({ curb_zone_id: id }) => id === zones[zone]?.zoneId)
}
const readStays = async (zone: number) => {
  const { items } = await call(app, city.viewer, listCurbZoneSessions, {
    params: { region_id, curb_zone_id: zones[zone]?.zoneId ?? '' },
    query: { date: day },
  })
  return items.map(({ start, end, problems }) => [
    start?.slice(11, 16) ?? null,
    end?.slice(11, 16) ?? null,
    problems,
  ])
}
async function readMetrics(zone: number, metric: string): Promise<Record<string, string>> {
  const { token } = await call(app, city.admin, makeCdsToken, {
    params,
    body: { name: randomUUID(), access: 'metrics' },
  })
  const query = `curb_place_type=zone&curb_place_id=${zones[zone]?.zoneId}&start_time=${eightAm}&end_time=${eightAm + 6 * hourMs}`
  const response = await request(app, {
    method: 'GET',
    url: `/cds/metrics/${region_id}/metrics/aggregates?${query}`,
    headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.cds+csv;version=1.1' },
  })
  expect(response.statusCode).toBe(200)
  const rows = response.body
    .trim()
    .split('\r\n')
    .map((row) => row.split(','))
  return Object.fromEntries(
    rows.flatMap(([, , name, , at = '', value = '']) => (name === metric ? [[at, value]] : [])),
  )
}

test('a feed with a wrong token is reported; with the right one its hours are pulled page by page', async () => {
  published.new = [
    makeEvent(0, 'scheduled_report', eightAm - 5 * minuteMs, { sensor_status_is_online: true }),
    makeEvent(0, 'park_start', eightAm + 10 * minuteMs, { event_id: 'a start', curb_space_id: 'space-1' }),
    makeEvent(0, 'park_end', eightAm + 30 * minuteMs, { event_id: 'an end', curb_space_id: 'space-1' }),
    makeEvent(0, 'park_start', eightAm + 40 * minuteMs, { curb_space_id: 'space-2' }),
    makeEvent(0, 'comms_lost', eightAm + 2 * hourMs),
    makeEvent(0, 'comms_restored', eightAm + 3.75 * hourMs),
  ]
  const body = {
    kind: 'cds_events' as const,
    version: '1.1',
    name: 'Sensors',
    url: `${vendor.url}/new`,
    auth: { kind: 'bearer' as const, token: 'wrong' },
    settings: { backfillHours: 1 },
  }
  feedIds.new = (await call(app, city.admin, createFeed, { params, body })).feedId
  await pull()
  expect((await readFeed('new'))?.problem).toContain('401')
  const [tested] = await call(app, city.admin, testFeed, {
    params,
    body: { feed: { ...body, auth: { kind: 'bearer', token: 'new-key' } } },
  })
  expect(tested).toMatchObject({ stream: 'recent', status: 200, problem: null })
  await call(app, city.admin, changeFeed, {
    params: { region_id, feed_id: feedIds.new },
    body: { auth: { kind: 'bearer', token: 'new-key' } },
  })
  await pullDay()
  expect((await readFeed('new'))?.problem).toBeNull()
  const pages = vendor.requests.filter(
    ({ query, headers }) =>
      query.get('event_time') === `${day}T08` && headers.authorization === 'Bearer new-key',
  )
  expect(pages.map(({ query }) => query.get('page'))).toEqual([null, '2'])
  expect(await readStays(0)).toEqual([
    ['08:10', '08:30', []],
    ['08:40', null, []],
  ])
})

test('the hours of an offline sensor are unknown, not vacant', async () => {
  const occupancy = await readMetrics(0, 'occupancy_percent')
  expect([occupancy['9'], occupancy['10'], occupancy['11']]).toEqual(['0', '-1', '-1'])
  expect(await readMetrics(0, 'total_sessions')).toMatchObject({
    8: '2',
    9: '0',
    10: '-1',
    11: '-1',
    12: '0',
  })
  // Zone 4 has no sensor, so it has no rows and an unknown state.
  expect(await readMetrics(3, 'total_sessions')).toEqual({})
  expect(await readLiveZone(3)).toMatchObject({ occupied: 0, free: 0, unknown: 2, sources: 0, source: null })
})

test('late, repeated and contradicting events produce the same facts in any order', async () => {
  const late = makeEvent(0, 'park_end', eightAm + 70 * minuteMs, { curb_space_id: 'space-2' })
  const corrected = published.new.map((record) =>
    record['event_id'] === 'an end'
      ? { ...record, event_time: eightAm + 25 * minuteMs, event_publication_time: eightAm + 5 * hourMs }
      : record,
  )
  const before = published.new
  const expected = [
    ['08:10', '08:25', []],
    ['08:40', '09:10', []],
  ]
  published.new = [late, ...corrected.toReversed(), ...corrected]
  await pullDay()
  expect(await readStays(0)).toEqual(expected)
  // The vendor publishes the former version again, with its earlier publication time.
  published.new = [...before, late]
  await pullDay()
  expect(await readStays(0)).toEqual(expected)
  expect(await readMetrics(0, 'total_sessions')).toMatchObject({ 8: '2', 9: '0', 10: '-1' })
  // 15 and 20 of 120 minutes, then 10.
  expect(await readMetrics(0, 'occupancy_percent')).toMatchObject({ 8: '29.1667', 9: '8.3333', 10: '-1' })
  const { token } = await call(app, city.admin, makeCdsToken, {
    params,
    body: { name: 'events', access: 'events' },
  })
  const response = await request(app, {
    method: 'GET',
    url: `/cds/events/${region_id}/events/events?event_time=${day}T08`,
    headers: { authorization: `Bearer ${token}` },
  })
  const returned = response.json<{ data: { events: { event_id: string; event_time: number }[] } }>().data
    .events
  expect(
    returned.map(({ event_time: time }) => (time - eightAm) / minuteMs).toSorted((a, b) => a - b),
  ).toEqual([10, 25, 40])
})

test('events of wrong clocks are set aside or wait for their time; the others count', async () => {
  const ahead = makeEvent(1, 'park_start', now + 2 * hourMs, { curb_space_id: 'space-b' })
  published.new = [
    makeEvent(1, 'park_start', eightAm + 10 * minuteMs, { event_time: Math.floor(eightAm / 1000) }),
    makeEvent(1, 'park_start', eightAm + 20 * minuteMs, { curb_space_id: 'space-c' }),
    makeEvent(1, 'park_end', eightAm + 50 * minuteMs, { curb_space_id: 'space-c' }),
    ahead,
  ]
  await pullDay()
  expect(await readStays(1)).toEqual([['08:20', '08:50', []]])
  // The vehicle with a time in the future is not there yet, and its sensor has been silent for two days.
  expect(await readLiveZone(1)).toMatchObject({ occupied: 0, free: 0, unknown: 2 })
  const found = await app.facts.rows<{ kind: string; field: string }>(
    systemScope,
    sql`select distinct kind, field from ${facts('feed_findings')} order by kind`,
  )
  expect(found.map(({ kind, field }) => [kind, field.replace(/\[\d+\]/, '')])).toEqual([
    ['clock_skew', 'events.event_time'],
    ['schema', 'events.event_time'],
  ])
})

test('a sensor of CDS 1.0 is live until it is offline, and again afterward', async () => {
  const start = makeEvent(2, 'park_start', now - 30 * minuteMs, { curb_space_id: 'space-3' })
  published.old = [makeEvent(2, 'scheduled_report', now - 40 * minuteMs), start]
  feedIds.old = (
    await call(app, city.admin, createFeed, {
      params,
      body: {
        kind: 'cds_events',
        version: '1.0',
        name: 'Old sensors',
        url: `${vendor.url}/old/events`,
        auth: { kind: 'headers', headers: [{ name: 'X-API-Key', value: 'old-key' }] },
        settings: {},
      },
    })
  ).feedId
  await pull()
  expect(await readFeed('old')).toMatchObject({ problem: null })
  expect(await readLiveZone(2)).toMatchObject({
    occupied: 1,
    free: 1,
    unknown: 0,
    source: 'sensor',
    online: 1,
  })
  published.old = [...published.old, makeEvent(2, 'comms_lost', now - 20 * minuteMs)]
  await pull()
  expect(await readLiveZone(2)).toMatchObject({ occupied: 1, free: 0, unknown: 1, online: 0 })
  published.old = [
    makeEvent(2, 'comms_restored', now - 10 * minuteMs),
    makeEvent(2, 'park_end', now - 5 * minuteMs, { curb_space_id: 'space-3' }),
  ]
  await pull()
  expect(await readLiveZone(2)).toMatchObject({ occupied: 0, free: 2, unknown: 0, online: 1 })
})
