import { describe, expect, it } from 'vitest'
import { dayMs } from '#contract/period.ts'
import * as samples from '../../../test/mds-samples.ts'
import { type AdapterFeed, UnreadableBody } from './adapter.ts'
import { mdsProvider } from './mds-provider.ts'

const hour = { from: Date.UTC(2026, 2, 2, 14), until: Date.UTC(2026, 2, 2, 15) }
const received = samples.sampleTime + 60_000
const makeFeed = (over: Partial<AdapterFeed> = {}): AdapterFeed => ({
  feedId: 'f',
  regionId: 'r',
  operator: 'lark',
  providerId: samples.providerId,
  version: '2.0',
  url: 'https://api.lark.example/mds/',
  settings: {},
  timezone: 'America/New_York',
  lat: 39.96,
  lon: -83,
  ...over,
})
const feed = makeFeed()
const earlier = makeFeed({ version: '1.2', url: 'https://api.lark.example/mds?agency=7' })
const toBytes = (body: unknown): Uint8Array =>
  new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
const read = (stream: string, body: unknown, fromFeed = feed) =>
  mdsProvider.read(fromFeed, stream, toBytes(body), received)
const readMessage = (stream: string, body: unknown, fromFeed = feed): string => {
  try {
    read(stream, body, fromFeed)
  } catch (error) {
    if (error instanceof UnreadableBody) return error.message
    throw error
  }
  return 'read'
}

describe('requests', () => {
  it('requests the streams of the version, or those in the settings', () => {
    expect(mdsProvider.streams(feed)).toEqual([
      { name: 'vehicles', window: 'now', everySeconds: 3600 },
      { name: 'status', window: 'now' },
      { name: 'events', window: 'hour' },
      { name: 'recent', window: 'recent' },
      { name: 'trips', window: 'hour' },
      { name: 'telemetry', window: 'hour' },
      { name: 'stops', window: 'now' },
      { name: 'reports', window: 'month' },
    ])
    expect(mdsProvider.streams(earlier).map(({ name }) => name)).toEqual([
      'vehicles',
      'events',
      'recent',
      'trips',
      'stops',
    ])
    expect(
      mdsProvider
        .streams(makeFeed({ settings: { streams: ['trips', 'events', 'none'] } }))
        .map(({ name }) => name),
    ).toEqual(['events', 'trips'])
  })

  it.each([
    ['vehicles', 'https://api.lark.example/mds/vehicles', feed],
    ['status', 'https://api.lark.example/mds/vehicles/status', feed],
    ['events', 'https://api.lark.example/mds/events/historical?event_time=2026-03-02T14', feed],
    [
      'recent',
      `https://api.lark.example/mds/events/recent?start_time=${hour.from}&end_time=${hour.until}`,
      feed,
    ],
    ['trips', 'https://api.lark.example/mds/trips?end_time=2026-03-02T14', feed],
    ['telemetry', 'https://api.lark.example/mds/telemetry?telemetry_time=2026-03-02T14', feed],
    ['stops', 'https://api.lark.example/mds/stops', feed],
    ['reports', 'https://api.lark.example/mds/reports/2026-03.csv', feed],
    ['events', 'https://api.lark.example/mds/status_changes?agency=7&event_time=2026-03-02T14', earlier],
    [
      'recent',
      `https://api.lark.example/mds/events?agency=7&start_time=${hour.from}&end_time=${hour.until}`,
      earlier,
    ],
    ['trips', 'https://api.lark.example/mds/trips?agency=7&end_time=2026-03-02T14', earlier],
  ])('requests for the stream %s have the URL %s', (stream, url, requested) => {
    expect(mdsProvider.request(requested, stream, hour).url).toBe(url)
  })

  it('requests contain the version, and at most two weeks for recent events', () => {
    expect(mdsProvider.request(feed, 'trips', hour).headers).toEqual({
      accept: 'application/vnd.mds+json;version=2.0',
    })
    expect(mdsProvider.request(earlier, 'trips', hour).headers).toEqual({
      accept: 'application/vnd.mds+json;version=1.2',
    })
    expect(mdsProvider.request(feed, 'reports', hour).headers).toEqual({
      accept: 'text/vnd.mds+csv;version=2.0',
    })
    expect(mdsProvider.request(feed, 'recent', { from: 0, until: hour.until }).url).toContain(
      `start_time=${hour.until - 14 * dayMs}&`,
    )
  })

  it('requests contain the month in any time zone', () => {
    const local = { from: Date.UTC(2026, 1, 1, 5), until: Date.UTC(2026, 2, 1, 5) }
    const tokyo = { from: Date.UTC(2026, 0, 31, 15), until: Date.UTC(2026, 1, 28, 15) }
    for (const pullWindow of [local, tokyo])
      expect(mdsProvider.request(feed, 'reports', pullWindow).url).toContain('/2026-02.csv')
  })
})

describe('the meaning of a status', () => {
  const getReadiness = (status: number, stream: string, sinceEnd: number) =>
    mdsProvider.readiness?.(status, stream, hour, hour.until + sinceEnd)
  it.each([
    [202, 'trips', 0, 'not_yet'],
    [102, 'events', 0, 'not_yet'],
    [404, 'trips', -1, 'not_yet'],
    [404, 'trips', 3_599_999, 'not_yet'],
    [404, 'trips', 3_600_000, 'nothing'],
    [404, 'stops', 0, 'nothing'],
    [404, 'reports', 3_600_000, 'not_yet'],
    [404, 'reports', 15 * dayMs, 'nothing'],
    [200, 'trips', 0, undefined],
    [500, 'trips', 0, undefined],
    [401, 'trips', 0, undefined],
  ])('%i of %s, %i ms after the end: %s', (status, stream, sinceEnd, meaning) => {
    expect(getReadiness(status, stream, sinceEnd)).toBe(meaning)
  })
})

describe('a body', () => {
  it('reads a body of either version, with the operator of the feed', () => {
    expect(read('events', { version: '2.0.1', events: [samples.event()] }).records.events).toMatchObject([
      { operator: 'lark' },
    ])
    expect(
      read('events', { version: '1.2.0', data: { status_changes: [samples.statusChange()] } }, earlier)
        .records.events,
    ).toHaveLength(1)
    expect(read('trips', { version: '2.0.0', trips: [] })).toMatchObject({
      records: { trips: [], findings: [] },
      next: null,
    })
    expect(
      read('events', { events: [samples.event(1, { provider_id: samples.uuid(9) })] }).records.findings[0]
        ?.reason,
    ).toBe('provider_id is not the one of this feed.')
  })

  it('reads a body with the mode in the settings, if it is valid', () => {
    const modes = ['car-share', 'submarine', undefined].map(
      (mode) =>
        read('vehicles', { vehicles: [samples.vehicle()] }, makeFeed({ settings: { mode } })).records
          .vehicles[0]?.mode,
    )
    expect(modes).toEqual(['car-share', 'micromobility', 'micromobility'])
  })

  it('reads the body of a report as rows', () => {
    const { other, records, next } = read('reports', samples.report([samples.reportRow(), 'x']))
    expect([(other as unknown[]).length, records.findings.length, next]).toEqual([1, 1, null])
  })

  it('links to the next page if pages are allowed, on the host of the feed', () => {
    const readPage = (stream: string, next: unknown, fromFeed = feed) =>
      read(
        stream,
        fromFeed === feed
          ? { [stream === 'recent' ? 'events' : stream]: [], links: { next } }
          : { data: { vehicles: [] }, links: { next } },
        fromFeed,
      ).next
    expect(readPage('vehicles', 'https://api.lark.example/mds/vehicles?page=2')).toBe(
      'https://api.lark.example/mds/vehicles?page=2',
    )
    expect(readPage('recent', '/mds/events/recent?cursor=a')).toBe(
      'https://api.lark.example/mds/events/recent?cursor=a',
    )
    expect(readPage('vehicles', 'http://api.lark.example/mds/vehicles?page=2')).toBe(
      'https://api.lark.example/mds/vehicles?page=2',
    )
    expect(readPage('vehicles', '?page=2', earlier)).toBe('https://api.lark.example/mds?page=2')
    for (const none of [null, '', 7, undefined]) expect(readPage('vehicles', none)).toBeNull()
    // Refused before it is requested (fetch-page.test.ts).
    expect(readPage('vehicles', 'https://other.example/vehicles')).toBe('https://other.example/vehicles')
  })

  it('a body causes a finding if it links from an hour to a next page', () => {
    for (const stream of ['trips', 'events']) {
      const { next, records } = read(stream, {
        [stream]: [],
        links: { next: 'https://api.lark.example/mds/x' },
      })
      expect(next).toBeNull()
      expect(records.findings).toMatchObject([{ kind: 'schema', field: 'links.next' }])
    }
  })
})

describe('unreadable bodies', () => {
  it.each([
    [
      '<!doctype html>\n<html><title>Sign in</title>',
      'The response is a web page, not JSON. It begins with “<!doctype html> <html><title>Sign in</title>”.',
    ],
    ['', 'The response is empty.'],
    [' \n', 'The response is empty.'],
    [
      '{"version":"2.0.0","events":[{"device_id":"a',
      'The response ends too early. It begins with “{"version":"2.0.0","events":[{"device_id":"a”.',
    ],
    ['upstream connect error', 'The response is not JSON. It begins with “upstream connect error”.'],
    ['{"error":"no"}', 'The response contains no list of events. It begins with “{"error":"no"}”.'],
    ['[]', 'The response contains no list of events. It begins with “[]”.'],
    ['{"version":"1.2.0","data":{"status_changes":[]}}', 'The response is MDS 1.2.0; 2.0 was requested.'],
    ['\u0000\u0001garbage', 'The response is not JSON. It begins with “garbage”.'],
  ])('%j causes the error: %s', (body, message) => {
    expect(readMessage('events', body)).toBe(message)
  })

  it('an unreadable body is quoted up to 80 characters', () => {
    expect(readMessage('events', 'x'.repeat(500))).toBe(
      `The response is not JSON. It begins with “${'x'.repeat(80)}”.`,
    )
    expect(readMessage('reports', '<html>')).toBe(
      'The response is not an MDS report. It begins with “<html>”.',
    )
  })
})
