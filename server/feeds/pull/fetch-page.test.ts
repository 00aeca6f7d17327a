import { describe, expect, it, test } from 'vitest'
import type { GuardedRequest } from '#server/http/guarded-fetch.ts'
import { fetchPage, findNextRequest } from './fetch-page.ts'
import type { FeedSource } from '../feed-source.ts'
import { getEnteredSettings, withDiscovered } from '../discovered-settings.ts'

const makeSource = (overrides: Partial<FeedSource> = {}): FeedSource => ({
  kind: 'mds_provider',
  auth: { kind: 'bearer', token: 'top-secret' },
  unreadable: null,
  intervalSeconds: 60,
  feed: {
    feedId: 'f',
    organizationId: 'o',
    regionId: 'r',
    operator: 'swift',
    providerId: '',
    version: '2.0',
    url: 'https://o.example/mds',
    settings: {},
    timezone: 'UTC',
    lat: 0,
    lon: 0,
  },
  ...overrides,
})
const adapter = {
  kind: 'x',
  versions: [],
  streams: () => [],
  request: () => ({ url: '', headers: {} }),
  read: () => {
    throw new Error('not read here')
  },
}
const requests: [string, GuardedRequest | undefined][] = []
const fetching = {
  fetch: async (url: string, request?: GuardedRequest) => {
    requests.push([url, request])
    return new Response('{}')
  },
  tokens: { token: async () => 't', discard: () => undefined },
  now: () => new Date(5),
}
const fetch = (from: FeedSource, url: string) =>
  fetchPage(fetching, {
    adapter,
    source: from,
    stream: 'trips',
    pullWindow: { from: 0, until: 1 },
    request: { url, headers: { Accept: 'a/b' } },
  })

describe('a page', () => {
  it("requests a page with secrets from the feed's own server only", async () => {
    expect(await fetch(makeSource(), 'https://o.example/mds/trips')).toMatchObject({
      address: 'https://o.example/mds/trips',
      status: 200,
      readiness: 'ready',
      received: 5,
    })
    for (const url of [
      'https://other.example/trips',
      'https://o.example:8443/trips',
      'http://o.example/trips',
    ])
      await fetch(makeSource(), url)
    expect(requests.map(([, init]) => init?.headers?.['authorization'])).toEqual([
      'Bearer top-secret',
      undefined,
      undefined,
      undefined,
    ])
    expect(requests[0]?.[1]).toMatchObject({
      redirects: 3,
      maxBytes: 268_435_456,
      timeoutMs: 60_000,
      headers: { 'accept-encoding': 'gzip', accept: 'a/b' },
    })
  })
  it('requests no page while the secrets cannot be read', async () => {
    const before = requests.length
    await expect(
      fetch(makeSource({ unreadable: 'Enter them again.' }), 'https://o.example/'),
    ).rejects.toThrow('Enter them again.')
    expect(requests).toHaveLength(before)
  })
})

describe('the next page', () => {
  const before = { url: 'https://o.example/mds/trips?page=1', headers: { accept: 'a/b' } }
  it('the next page must be on the same server, however its URL is written', () => {
    for (const next of [
      '?page=2',
      '/mds/trips?page=2',
      'https://o.example/mds/trips?page=2',
      '//o.example/mds/trips?page=2',
    ])
      expect(findNextRequest(makeSource(), before, next)).toEqual({
        url: 'https://o.example/mds/trips?page=2',
        headers: before.headers,
      })
    for (const next of [
      'https://other.example/',
      '//other.example/',
      'http://o.example/mds',
      'https://o.example:444/',
      'file:///etc/passwd',
    ])
      expect(() => findNextRequest(makeSource(), before, next)).toThrow('another server')
  })
  it('follows a next page to another server for public GBFS', () => {
    expect(
      findNextRequest(
        makeSource({ kind: 'gbfs', auth: { kind: 'none' } }),
        before,
        'https://other.example/a.json',
      ).url,
    ).toBe('https://other.example/a.json')
    expect(() =>
      findNextRequest(makeSource({ kind: 'gbfs' }), before, 'https://other.example/a.json'),
    ).toThrow('another server')
  })
})

test('withDiscovered separates discovered settings from entered ones', () => {
  const before = { days: 3, discovered: { a: 'b' }, zonesHash: 'c' }
  expect(getEnteredSettings(before)).toEqual({ days: 3 })
  expect(withDiscovered({ days: 4, discovered: 'typed' }, before, true)).toEqual({
    days: 4,
    discovered: { a: 'b' },
    zonesHash: 'c',
  })
  expect(withDiscovered({ days: 4 }, before, false)).toEqual({ days: 4, zonesHash: 'c' })
})
