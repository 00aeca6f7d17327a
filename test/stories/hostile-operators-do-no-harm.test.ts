import type http from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { findFeed } from '#server/feeds/find-feeds.ts'
import { openFeeds } from '#server/feeds/open-feeds.ts'
import { createGuardedFetch } from '#server/http/guarded-fetch.ts'
import { type SentRequest, openOperator, type OperatorServer } from '../feeds/operator-server.ts'
import { openTown } from '../feeds/feed-town.ts'
import { plainBody } from '../feeds/plain-adapter.ts'

let town: Awaited<ReturnType<typeof openTown>>
let operator: OperatorServer
let good: OperatorServer
const guarded = createGuardedFetch({ privateAddresses: true })
/** Timeout of requests: short for endless responses, long enough to unpack 256 MB on a busy machine. */
let patienceMs = 25_000
beforeAll(async () => {
  town = await openTown({
    fetch: (url, call) => guarded(url, { ...call, timeoutMs: Math.min(call?.timeoutMs ?? 0, patienceMs) }),
  })
  good = await openOperator((request, response) =>
    response.end(plainBody([`good-${request.query.get('from')}`])),
  )
})
afterAll(async () => {
  await good.close()
  await town.close()
})
beforeEach(async () => {
  operator = await openOperator((_, response) => response.end('{}'))
})
afterEach(async () => {
  await operator.close()
  await town.store.deleteFrom('feed').execute()
  town.fleetIngest.ids.clear()
})

const sendEndlessly = (response: http.ServerResponse): void => {
  const part = Buffer.alloc(4 * 1024 * 1024)
  const write = (): void => {
    while (!response.destroyed && response.write(part)) continue
    if (!response.destroyed) response.once('drain', write)
  }
  write()
}
const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024), { level: 1 })

type Respond = (request: SentRequest, response: http.ServerResponse) => void
const hostile: [name: string, response: Respond, problem: RegExp][] = [
  ['garbage', (_, response) => response.end(Buffer.from([0, 255, 254, 7, 9])), /This is not valid JSON/],
  [
    'a web page',
    (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Please sign in</html>'),
    /This is not valid JSON/,
  ],
  [
    'truncated JSON',
    (_, response) => response.end('{"events": [{"id": "a"'),
    /has another form than the standard/,
  ],
  [
    'JSON of another form',
    (_, response) => response.end('{"events": {"no": "list"}}'),
    /has another form than the standard/,
  ],
  [
    'a content length of 5 GB',
    (_, response) => response.writeHead(200, { 'content-length': String(5 * 1024 ** 3) }).write('{'),
    /larger than 256 MB/,
  ],
  ['endless bytes', (_, response) => sendEndlessly(response), /larger than 256 MB|longer than 60 seconds/],
  [
    'a small response that unpacks to a large one',
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    /larger than 256 MB/,
  ],
  [
    'garbage marked as gzip',
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'),
    /could not be decompressed/,
  ],
  [
    'a slow drip',
    (_, response) => {
      const drip = setInterval(() => response.write('a'), 100).unref()
      response.once('close', () => clearInterval(drip))
    },
    /longer than 60 seconds/,
  ],
  ['a closed connection', (_, response) => void response.socket?.destroy(), /closed the connection/],
  [
    'an endless chain of pages',
    (request, response) =>
      response.end(plainBody([], { next: `?page=${Number(request.query.get('page') ?? 0) + 1}` })),
    /more than 1000 pages/,
  ],
  ['a circle of pages', (_, response) => response.end(plainBody([], { next: '?page=1' })), /form a loop/],
  [
    'a next page elsewhere',
    (_, response) => response.end(plainBody([], { next: 'http://elsewhere.example/x' })),
    /another server, so it was not requested/,
  ],
  [
    'an invalid next page',
    (_, response) => response.end(plainBody([], { next: 'http://[' })),
    /The address of the next page is invalid/,
  ],
  [
    'a redirect to the metadata of a cloud',
    (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
    /not public, so it was not requested/,
  ],
  [
    'a redirect to a file',
    (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    /does not begin with https/,
  ],
  [
    'endless redirects',
    (request, response) =>
      response.writeHead(302, { location: `/${request.path.length}${request.path}` }).end(),
    /redirects more than 3 times/,
  ],
  [
    'a switch of protocols',
    (_, response) =>
      void response.socket?.end('HTTP/1.1 101 Odd\r\nconnection: upgrade\r\nupgrade: odd\r\n\r\n'),
    /closed the connection/,
  ],
  ['status 403', (_, response) => response.writeHead(403).end(), /refused the request \(403\)/],
]

describe('a hostile operator that sends', () => {
  it.each(hostile)(
    '%s causes a clear problem, and another feed continues',
    async (name, response, problem) => {
      operator.respond = response
      patienceMs = name === 'a slow drip' ? 3000 : 25_000
      const { feedId: bad } = await town.addFeed({ url: operator.url, settings: { backfillHours: 1 } })
      const { feedId: fine } = await town.addFeed({ url: good.url, name: 'Good' })
      const engine = openFeeds({ ...town.feeds, isAlone: true })
      await engine.idle()
      await engine.stop()
      const readFeed = (feed_id: string) =>
        findFeed(town.feeds, town.viewer.scope, { region_id: 'alder', feed_id })
      const feed = await readFeed(bad)
      expect(feed.problem).toMatch(problem)
      expect(feed).toMatchObject({ lastSuccessTime: null, pullWindows: { done: 0, failed: 1 } })
      expect(await readFeed(fine)).toMatchObject({ problem: null, pullWindows: { done: 3 } })
      expect([...town.fleetIngest.ids].every((id) => id.startsWith('good-'))).toBe(true)
    },
    240_000,
  )
})

test('an address of this machine is not requested unless the configuration allows it', async () => {
  const engine = openFeeds({
    ...town.feeds,
    fetch: createGuardedFetch({ privateAddresses: false }),
    isAlone: true,
  })
  const { feedId } = await town.addFeed({
    url: operator.url.replace('http:', 'https:'),
    settings: { backfillHours: 1 },
  })
  const { feedId: plain } = await town.addFeed({ url: operator.url, settings: { backfillHours: 1 } })
  await engine.idle()
  await engine.stop()
  expect(
    (await findFeed(town.feeds, town.viewer.scope, { region_id: 'alder', feed_id: feedId })).problem,
  ).toMatch(/not public, so it was not requested/)
  expect(
    (await findFeed(town.feeds, town.viewer.scope, { region_id: 'alder', feed_id: plain })).problem,
  ).toMatch(/does not begin with https/)
  expect(operator.requests).toEqual([])
})
