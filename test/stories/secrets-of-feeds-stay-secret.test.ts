import fs from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { FeedAuthDraft } from '#contract/feed-auth.ts'
import { NewFeed } from '#contract/feeds.ts'
import { createOAuthTokens } from '#server/feeds/auth/oauth-tokens.ts'
import { findFeed } from '#server/feeds/find-feeds.ts'
import { openFeeds } from '#server/feeds/open-feeds.ts'
import { changeFeed } from '#server/feeds/save-feed.ts'
import { tryFeed } from '#server/feeds/try-feed.ts'
import { createSecretBox } from '#server/stores/secret-box.ts'
import { openOperator, type OperatorServer } from '../feeds/operator-server.ts'
import { openTown } from '../feeds/feed-town.ts'
import { plainBody } from '../feeds/plain-adapter.ts'

const secret = 'sEcReT/+word-of=swift'
let town: Awaited<ReturnType<typeof openTown>>
let operator: OperatorServer
let other: OperatorServer
beforeAll(async () => {
  town = await openTown()
  other = await openOperator((_, response) => response.end('{}'))
})
afterAll(async () => {
  await other.close()
  await town.close()
})
afterEach(async () => {
  await operator.close()
  await town.store.deleteFrom('feed').execute()
})

const ways: [FeedAuthDraft['kind'], (url: string) => FeedAuthDraft][] = [
  ['bearer', () => ({ kind: 'bearer', token: secret })],
  [
    'oauth',
    (url) => ({
      kind: 'oauth',
      tokenUrl: `${url}/token`,
      clientId: 'client',
      clientSecret: secret,
      scope: 'mds',
    }),
  ],
  ['headers', () => ({ kind: 'headers', headers: [{ name: 'X-Api-Key', value: secret }] })],
  ['query', () => ({ kind: 'query', query: [{ name: 'api_key', value: secret }] })],
]
/** A text in the forms in which it could have slipped out. */
const formsOf = (text: string): string[] => [
  text,
  encodeURIComponent(text),
  Buffer.from(text).toString('base64').replace(/=+$/, ''),
  JSON.stringify(text).slice(1, -1),
]

/** Everything that was written or answered. */
async function everything(feedId: string): Promise<string> {
  const raw = town
    .files()
    .map((name) => gunzipSync(fs.readFileSync(path.join(town.dataDir, 'raw', name))).toString('utf8'))
  const feed = await findFeed(town.feeds, town.viewer.scope, { region_id: 'alder', feed_id: feedId })
  const rows = [await town.store.selectFrom('feed').selectAll().execute(), await town.pullWindows()]
  return [
    ...raw,
    JSON.stringify(feed),
    JSON.stringify(rows),
    ...town.logged,
    JSON.stringify(town.fleetIngest.batches),
  ].join('\n')
}

describe('a secret by', () => {
  test.each(ways)('%s is sent only to the operator', async (kind, authOf) => {
    const tokens: string[] = []
    operator = await openOperator((request, response) => {
      const { path: at, query, headers } = request
      if (at === '/token') {
        tokens.push(`access-${'x'.repeat(20)}-${tokens.length}`)
        return response.end(JSON.stringify({ access_token: tokens.at(-1), expires_in: 3600 }))
      }
      const credentials = headers.authorization ?? String(headers['x-api-key'] ?? query.get('api_key'))
      const hour = query.get('from') ?? ''
      // It echoes the credentials, redirects to another host, and fails with them in its message.
      if (hour.endsWith('T09')) return response.writeHead(302, { location: `${other.url}/taken` }).end()
      if (hour.endsWith('T10')) return response.writeHead(500).end(`You said ${credentials}`)
      if (query.has('page')) return response.end(plainBody([`seen-${credentials === null ? '' : 'it'}`]))
      response.end(
        plainBody(['a', null], {
          next: `/events?page=2&from=x&api_key=${encodeURIComponent(query.get('api_key') ?? '')}&said=${encodeURIComponent(credentials)}`,
        }),
      )
    })
    const { feedId } = await town.addFeed({ url: operator.url, auth: authOf(operator.url) })
    const engine = openFeeds({ ...town.feeds, isAlone: true })
    await engine.idle()
    await engine.stop()
    const pulls = operator.requests.filter((request) => request.path !== '/token')
    const credentials = pulls.map(({ headers, query }) =>
      kind === 'bearer' || kind === 'oauth'
        ? headers.authorization
        : kind === 'headers'
          ? headers['x-api-key']
          : query.get('api_key'),
    )
    expect(new Set(credentials)).toEqual(
      new Set([kind === 'oauth' ? `Bearer ${tokens[0]}` : kind === 'bearer' ? `Bearer ${secret}` : secret]),
    )
    expect(pulls.length).toBe(4)
    // One token for all.
    expect(tokens.length).toBe(kind === 'oauth' ? 1 : 0)
    expect(other.requests.length).toBeGreaterThan(0)
    for (const { headers, query } of other.requests)
      expect(JSON.stringify([headers, [...query]])).not.toMatch(/sEcReT|access-/)
    const tests = await tryFeed(town.feeds, createOAuthTokens(town.feeds.fetch, town.feeds.now), {
      viewer: town.viewer,
      params: { region_id: 'alder' },
      body: { feed_id: feedId, feed: null },
      signal: new AbortController().signal,
    })
    expect(tests).toHaveLength(1)
    const all = (await everything(feedId)) + JSON.stringify(tests)
    expect(all.length).toBeGreaterThan(1000)
    for (const form of [...formsOf(secret), ...formsOf(`client:${secret}`), ...tokens])
      expect(all).not.toContain(form)
  })
})

describe('a stored secret', () => {
  test('is retained if it is omitted, and is not sent to another server', async () => {
    operator = await openOperator((_, response) => response.end(plainBody(['a'])))
    const feed = await town.addFeed({ url: operator.url, auth: { kind: 'bearer', token: secret } })
    expect(feed.auth).toEqual({ kind: 'bearer', hasToken: true })
    const of = { region_id: 'alder', feed_id: feed.feedId }
    const change = (given: Parameters<typeof changeFeed>[1]['body']) =>
      changeFeed(town.feeds, { viewer: town.viewer, params: of, body: given, at: town.clock.at })
    expect(
      await change({ name: 'Swift again', auth: { kind: 'bearer' }, url: `${operator.url}/mds` }),
    ).toMatchObject({ name: 'Swift again', auth: { kind: 'bearer', hasToken: true } })
    for (const given of [{ url: other.url }, { url: other.url, auth: { kind: 'bearer' } }] as const)
      await expect(change(given)).rejects.toThrow('belong to another server')
    await expect(change({ auth: { kind: 'headers', headers: [{ name: 'x-key' }] } })).rejects.toThrow(
      'secret is missing',
    )
    const draft = NewFeed.parse({
      kind: 'mds_provider',
      version: '2.0',
      name: 'Swift',
      operator: 'swift',
      url: other.url,
      auth: { kind: 'bearer' },
    })
    const tokens = createOAuthTokens(town.feeds.fetch, town.feeds.now)
    await expect(
      tryFeed(town.feeds, tokens, {
        viewer: town.viewer,
        params: { region_id: 'alder' },
        body: { feed_id: feed.feedId, feed: draft },
        signal: new AbortController().signal,
      }),
    ).rejects.toThrow('belong to another server')
    expect(
      await tryFeed(town.feeds, tokens, {
        viewer: town.viewer,
        params: { region_id: 'alder' },
        body: { feed_id: feed.feedId, feed: { ...draft, url: operator.url } },
        signal: new AbortController().signal,
      }),
    ).toMatchObject([{ problem: null, read: 1 }])
    expect(operator.requests.at(-1)?.headers.authorization).toBe(`Bearer ${secret}`)
    expect(await change({ url: other.url, auth: { kind: 'bearer', token: 'another-secret' } })).toMatchObject(
      { url: other.url },
    )
  })

  test('that was sealed with another key is reported as unreadable, and can be entered again', async () => {
    operator = await openOperator((_, response) => response.end(plainBody(['a'])))
    const feed = await town.addFeed({ url: operator.url, auth: { kind: 'bearer', token: secret } })
    const feeds = { ...town.feeds, box: createSecretBox('f'.repeat(64)) }
    const engine = openFeeds({ ...feeds, isAlone: true })
    await engine.idle()
    await engine.stop()
    const of = { region_id: 'alder', feed_id: feed.feedId }
    expect(await findFeed(feeds, town.viewer.scope, of)).toMatchObject({
      auth: { kind: 'none' },
      problem: expect.stringContaining('Enter them again'),
    })
    expect(operator.requests).toEqual([])
    expect(
      await changeFeed(feeds, {
        viewer: town.viewer,
        params: of,
        body: { auth: { kind: 'bearer', token: 'new-secret' } },
        at: town.clock.at,
      }),
    ).toMatchObject({ auth: { kind: 'bearer', hasToken: true } })
  })
})
