import fs from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { FeedAuthDraft } from '#contract/feed-auth.ts'
import { NewFeed } from '#contract/feeds.ts'
import { createOAuthTokens } from '#server/feeds/auth/oauth-tokens.ts'
import { findFeed } from '#server/feeds/find-feeds.ts'
import { openFeeds } from '#server/feeds/open-feeds.ts'
import { changeFeed } from '#server/feeds/save-feed.ts'
import { testFeed } from '#server/feeds/test-feed.ts'
import { createSecretBox } from '#server/stores/secret-box.ts'
import { openOperator, type OperatorServer } from '../feeds/operator-server.ts'
import { openTown } from '../feeds/feed-town.ts'
import { plainBody } from '../feeds/plain-adapter.ts'

const secret = 'sEcReT/+word-of=swift'
let town: Awaited<ReturnType<typeof openTown>>
let operator: OperatorServer
let otherOperator: OperatorServer
beforeAll(async () => {
  town = await openTown()
  otherOperator = await openOperator((_, response) => response.end('{}'))
})
afterAll(async () => {
  await otherOperator.close()
  await town.close()
})
afterEach(async () => {
  await operator.close()
  await town.store.deleteFrom('feed').execute()
})

const authKinds: [FeedAuthDraft['kind'], (url: string) => FeedAuthDraft][] = [
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
/** Returns a text in the encodings in which it could leak. */
const listEncodings = (text: string): string[] => [
  text,
  encodeURIComponent(text),
  Buffer.from(text).toString('base64').replace(/=+$/, ''),
  JSON.stringify(text).slice(1, -1),
]

/** Reads everything that was stored, logged or returned. */
async function readEverything(feedId: string): Promise<string> {
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

describe('a secret sent by', () => {
  it.each(authKinds)('%s is sent only to the operator', async (kind, makeAuth) => {
    const tokens: string[] = []
    operator = await openOperator((request, response) => {
      const { path: at, query, headers } = request
      if (at === '/token') {
        tokens.push(`access-${'x'.repeat(20)}-${tokens.length}`)
        return response.end(JSON.stringify({ access_token: tokens.at(-1), expires_in: 3600 }))
      }
      const credentials = headers.authorization ?? String(headers['x-api-key'] ?? query.get('api_key'))
      const hour = query.get('from') ?? ''
      // The operator echoes the credentials, redirects to another host, and fails with them in its message.
      if (hour.endsWith('T09'))
        return response.writeHead(302, { location: `${otherOperator.url}/taken` }).end()
      if (hour.endsWith('T10')) return response.writeHead(500).end(`You said ${credentials}`)
      if (query.has('page')) return response.end(plainBody([`seen-${credentials === null ? '' : 'it'}`]))
      response.end(
        plainBody(['a', null], {
          next: `/events?page=2&from=x&api_key=${encodeURIComponent(query.get('api_key') ?? '')}&said=${encodeURIComponent(credentials)}`,
        }),
      )
    })
    const { feedId } = await town.addFeed({ url: operator.url, auth: makeAuth(operator.url) })
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
    // One token is used for all requests.
    expect(tokens.length).toBe(kind === 'oauth' ? 1 : 0)
    expect(otherOperator.requests.length).toBeGreaterThan(0)
    for (const { headers, query } of otherOperator.requests)
      expect(JSON.stringify([headers, [...query]])).not.toMatch(/sEcReT|access-/)
    const tests = await testFeed(town.feeds, createOAuthTokens(town.feeds.fetch, town.feeds.now), {
      viewer: town.viewer,
      params: { region_id: 'alder' },
      body: { feed_id: feedId, feed: null },
      signal: new AbortController().signal,
    })
    expect(tests).toHaveLength(1)
    const all = (await readEverything(feedId)) + JSON.stringify(tests)
    expect(all.length).toBeGreaterThan(1000)
    for (const form of [...listEncodings(secret), ...listEncodings(`client:${secret}`), ...tokens])
      expect(all).not.toContain(form)
  })
})

describe('a stored secret', () => {
  it('is retained if it is omitted, and is not sent to another server', async () => {
    operator = await openOperator((_, response) => response.end(plainBody(['a'])))
    const feed = await town.addFeed({ url: operator.url, auth: { kind: 'bearer', token: secret } })
    expect(feed.auth).toEqual({ kind: 'bearer', hasToken: true })
    const params = { region_id: 'alder', feed_id: feed.feedId }
    const change = (changes: Parameters<typeof changeFeed>[1]['body']) =>
      changeFeed(town.feeds, { viewer: town.viewer, params, body: changes, at: town.clock.at })
    expect(
      await change({ name: 'Swift again', auth: { kind: 'bearer' }, url: `${operator.url}/mds` }),
    ).toMatchObject({ name: 'Swift again', auth: { kind: 'bearer', hasToken: true } })
    for (const changes of [
      { url: otherOperator.url },
      { url: otherOperator.url, auth: { kind: 'bearer' } },
    ] as const)
      await expect(change(changes)).rejects.toThrow('belong to another server')
    await expect(change({ auth: { kind: 'headers', headers: [{ name: 'x-key' }] } })).rejects.toThrow(
      'secret is missing',
    )
    const draft = NewFeed.parse({
      kind: 'mds_provider',
      version: '2.0',
      name: 'Swift',
      operator: 'swift',
      url: otherOperator.url,
      auth: { kind: 'bearer' },
    })
    const tokens = createOAuthTokens(town.feeds.fetch, town.feeds.now)
    await expect(
      testFeed(town.feeds, tokens, {
        viewer: town.viewer,
        params: { region_id: 'alder' },
        body: { feed_id: feed.feedId, feed: draft },
        signal: new AbortController().signal,
      }),
    ).rejects.toThrow('belong to another server')
    expect(
      await testFeed(town.feeds, tokens, {
        viewer: town.viewer,
        params: { region_id: 'alder' },
        body: { feed_id: feed.feedId, feed: { ...draft, url: operator.url } },
        signal: new AbortController().signal,
      }),
    ).toMatchObject([{ problem: null, read: 1 }])
    expect(operator.requests.at(-1)?.headers.authorization).toBe(`Bearer ${secret}`)
    expect(
      await change({ url: otherOperator.url, auth: { kind: 'bearer', token: 'another-secret' } }),
    ).toMatchObject({ url: otherOperator.url })
  })

  it('a stored secret that was sealed with another key is reported as unreadable, and can be entered again', async () => {
    operator = await openOperator((_, response) => response.end(plainBody(['a'])))
    const feed = await town.addFeed({ url: operator.url, auth: { kind: 'bearer', token: secret } })
    const feeds = { ...town.feeds, secretBox: createSecretBox('f'.repeat(64)) }
    const engine = openFeeds({ ...feeds, isAlone: true })
    await engine.idle()
    await engine.stop()
    const params = { region_id: 'alder', feed_id: feed.feedId }
    expect(await findFeed(feeds, town.viewer.scope, params)).toMatchObject({
      auth: { kind: 'none' },
      problem: expect.stringContaining('Enter them again'),
    })
    expect(operator.requests).toEqual([])
    expect(
      await changeFeed(feeds, {
        viewer: town.viewer,
        params,
        body: { auth: { kind: 'bearer', token: 'new-secret' } },
        at: town.clock.at,
      }),
    ).toMatchObject({ auth: { kind: 'bearer', hasToken: true } })
  })
})
