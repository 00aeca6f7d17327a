import { randomUUID } from 'node:crypto'
import { type NewFeed, pushedKinds, type StreamTest } from '#contract/feeds.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { hourMs } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { FeedRow } from './read-feed.ts'
import type { PullWindow, Stream } from './adapters/adapter.ts'
import type { OAuthTokens } from './auth/oauth-tokens.ts'
import { checkFeed, resolveAuth } from './check-feed.ts'
import { describeProblem, describeStatus } from './feed-problem.ts'
import { type FeedSource, findSources } from './feed-source.ts'
import { findAdapter } from './adapters/list.ts'
import type { FeedServices } from './feed-services.ts'
import { fetchPage } from './pull/fetch-page.ts'
import type { PullContext } from './pull/pull-stream-window.ts'
import { findFeedRow } from './find-feeds.ts'
import { withDiscovered } from './discovered-settings.ts'
import { pullWindowAt } from './pull/windows/pull-window.ts'
import { readResponse } from './reading/read-response.ts'
import { sampleResponse } from './reading/sample-response.ts'
import { readStoredAuth } from './save-feed.ts'

/** Chooses the pull window before the last completed one, which every operator should have ready. */
function choosePullWindow({ window }: Stream, timezone: string, now: number): PullWindow {
  if (window === 'recent') return { from: now - hourMs, until: now }
  const current = window === 'now' ? null : pullWindowAt(window, now, timezone)
  return (current && pullWindowAt(window, current.from - hourMs - 1, timezone)) ?? { from: now, until: now }
}

/** Requests one stream of a feed and describes the response, without storing it. */
async function tryStream(
  { feeds, tokens, adapter, source }: Omit<PullContext, 'stream' | 'pullWindow'>,
  stream: Stream,
  signal: AbortSignal,
): Promise<StreamTest> {
  const startedMs = performance.now()
  const emptyResult: StreamTest = {
    stream: stream.name,
    status: null,
    milliseconds: 0,
    bytes: 0,
    read: 0,
    setAside: 0,
    reasons: [],
    lists: [],
    hasMore: false,
    problem: null,
    note: null,
  }
  const getElapsedMs = (): number => Math.round(performance.now() - startedMs)
  let result = emptyResult
  try {
    const pullWindow = choosePullWindow(stream, source.feed.timezone, feeds.now().getTime())
    const page = await fetchPage(
      { fetch: feeds.fetch, tokens, now: feeds.now },
      {
        adapter,
        source,
        stream: stream.name,
        pullWindow,
        request: adapter.request(source.feed, stream.name, pullWindow),
      },
      signal,
    )
    result = { ...emptyResult, status: page.status, milliseconds: getElapsedMs(), bytes: page.body.length }
    if (page.readiness === 'not_yet' || page.readiness === 'nothing')
      return { ...result, note: page.readiness }
    if (page.readiness === 'failed') return { ...result, problem: describeStatus(page.status) }
    const onParseError = (): void => feeds.log('feed could not be read in a test', { stream: stream.name })
    return {
      ...result,
      ...(await sampleResponse(
        readResponse(adapter, source.feed, { ...page, stream: stream.name }, onParseError),
      )),
    }
  } catch (error) {
    const message = describeProblem(error)
    if (message === null)
      feeds.log('feed test failed', {
        stream: stream.name,
        error: error instanceof Error ? error.name : 'unknown',
      })
    return {
      ...result,
      milliseconds: getElapsedMs(),
      problem: message ?? 'The server could not make this request.',
    }
  }
}

/** A request to test the stored feed `feed_id`, or the draft `feed`, which may use secrets of the first. */
interface TrialRequest {
  viewer: Pick<Viewer, 'organizationId' | 'scope'>
  params: { region_id: string }
  body: { feed_id: string | null; feed: NewFeed | null }
}

/** Requests every stream of a stored feed or draft once, without storing anything. */
export async function testFeed(
  feeds: FeedServices,
  tokens: OAuthTokens,
  { signal, ...request }: TrialRequest & { signal: AbortSignal },
): Promise<StreamTest[]> {
  const source = await findSource(feeds, request)
  if (!source || pushedKinds.includes(source.kind))
    throw new Problem('validation_error', 'Operators push to this feed: there is nothing to request.')
  const adapter = findAdapter(feeds.adapters, { kind: source.kind, version: source.feed.version })
  if (!adapter) throw new Problem('validation_error', 'This version cannot be read yet.')
  const results: StreamTest[] = []
  for (const stream of adapter.streams(source.feed))
    results.push(await tryStream({ feeds, tokens, adapter, source }, stream, signal))
  return results
}

async function findSource(
  feeds: FeedServices,
  { viewer, params, body: { feed_id: feedId, feed: draft } }: TrialRequest,
): Promise<FeedSource | undefined> {
  const region = await findRegion(feeds.state, viewer.scope, params.region_id)
  const row =
    feedId === null
      ? null
      : await findFeedRow(feeds.state.as(viewer.scope), { region_id: params.region_id, feed_id: feedId })
  if (draft) return createDraftSource(feeds, viewer, { region, row, draft })
  if (!row) throw new Problem('validation_error', 'Enter a feed, or the id of a stored one.')
  const [source] = await findSources(feeds, [row.feed_id])
  return source
}

/** Creates the source of a draft. `row`: the stored feed that it would replace. */
async function createDraftSource(
  feeds: FeedServices,
  { organizationId, scope }: TrialRequest['viewer'],
  { region, row, draft }: { region: Region; row: FeedRow | null; draft: NewFeed },
): Promise<FeedSource> {
  const auth = resolveAuth(draft.auth, row ? readStoredAuth(feeds, row) : { kind: 'none' }, {
    before: row ? row.url : draft.url,
    after: draft.url,
  })
  await checkFeed(feeds, organizationId, scope, { ...draft, auth })
  const operator = draft.operator
    ? await feeds.state
        .as(scope)
        .selectFrom('operator')
        .select('provider_id')
        .where('slug', '=', draft.operator)
        .executeTakeFirst()
    : undefined
  return {
    kind: draft.kind,
    auth,
    unreadable: null,
    intervalSeconds: 60,
    feed: {
      feedId: row?.feed_id ?? randomUUID(),
      organizationId,
      regionId: region.regionId,
      operator: draft.operator ?? '',
      providerId: operator?.provider_id ?? '',
      version: draft.version,
      url: draft.url ?? '',
      settings: withDiscovered(draft.settings, row?.settings ?? {}, row?.url === draft.url),
      timezone: region.timezone,
      lat: region.lat,
      lon: region.lon,
    },
  }
}
