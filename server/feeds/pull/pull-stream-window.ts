import type { Adapter, PullWindow, PageRequest, Stream } from '../adapters/adapter.ts'
import type { OAuthTokens } from '../auth/oauth-tokens.ts'
import { hideSecrets } from '../auth/hide-secrets.ts'
import { FeedProblem, describeProblem, describeStatus } from '../feed-problem.ts'
import type { FeedSource } from '../feed-source.ts'
import type { FeedServices } from '../feed-services.ts'
import { fetchPage, nextRequest } from './fetch-page.ts'
import type { Outcome } from './windows/record-outcome.ts'
import { storeRaw } from '../raw/store-raw.ts'
import { readResponse } from '../reading/read-response.ts'
import { recordPull } from './record-pull.ts'

/** The maximum number of pages per pull window, and the time limit for all of them. */
const maxPages = 1000
const pullTimeoutMs = 15 * 60_000

/** The input of a pull. */
export interface PullContext {
  feeds: FeedServices
  tokens: OAuthTokens
  adapter: Adapter
  source: FeedSource
  stream: Stream
  pullWindow: PullWindow
}

/**
 * Fetches a pull window page by page. Each page is retained, parsed and stored before the next one is
 * requested, so that an interrupted pull can be repeated without loss or duplicates.
 */
async function pullPages(
  { feeds, tokens, adapter, source, stream, pullWindow }: PullContext,
  signal: AbortSignal,
): Promise<Outcome> {
  const { blobs, now, log } = feeds
  const { feedId, version } = source.feed
  const started = now().getTime()
  const requestedUrls = new Set<string>()
  let records = 0
  let newest: number | null = null
  let request: PageRequest | null = adapter.request(source.feed, stream.name, pullWindow)
  for (let page = 0; request; page++) {
    if (page >= maxPages) throw new FeedProblem(`The response has more than ${maxPages} pages.`)
    if (requestedUrls.has(request.url)) throw new FeedProblem('The pages form a loop.')
    if (now().getTime() - started > pullTimeoutMs)
      throw new FeedProblem('The pages of one pull took longer than 15 minutes.')
    requestedUrls.add(request.url)
    const response = await fetchPage(
      { fetch: feeds.fetch, tokens, now },
      { adapter, source, stream: stream.name, pullWindow, request },
      signal,
    )
    if (response.readiness === 'nothing')
      return { status: 'nothing', records, newest, problem: null, retryAfter: null }
    if (response.readiness === 'not_yet')
      return { status: 'waiting', records, newest, problem: null, retryAfter: response.retryAfter }
    if (response.readiness === 'failed')
      throw new FeedProblem(describeStatus(response.status), {
        status: response.status,
        retryAfter: response.retryAfter,
      })
    const isContinuous = stream.by === 'now' || stream.by === 'recent'
    const windowStart = isContinuous ? response.received : pullWindow.from
    if (!adapter.isPersonal)
      await storeRaw(
        blobs,
        source.feed,
        {
          url: response.address,
          status: response.status,
          received: response.received,
          stream: stream.name,
          windowStart,
          page,
          version,
        },
        response.body,
      )
    let next: string | null = null
    const onParseError = (error: unknown): void =>
      log('feed could not be read', {
        feedId,
        stream: stream.name,
        error: hideSecrets(
          error instanceof Error ? (error.stack ?? error.message) : String(error),
          source.auth,
        ),
      })
    for await (const part of readResponse(
      adapter,
      source.feed,
      { ...response, stream: stream.name },
      onParseError,
    )) {
      const stored = await recordPull(feeds, source, part, {
        stream: stream.name,
        windowStart,
        received: response.received,
      })
      records += stored.accepted + stored.repeated
      if (stored.newest !== null) newest = Math.max(newest ?? 0, stored.newest)
      next = part.next
    }
    request = next === null ? null : nextRequest(source, request, next)
  }
  return { status: 'done', records, newest, problem: null, retryAfter: null }
}

/** Pulls a window. Returns the outcome; null if it was aborted and must be repeated. */
export async function pullStreamWindow(context: PullContext, signal: AbortSignal): Promise<Outcome | null> {
  try {
    return await pullPages(context, signal)
  } catch (error) {
    if (signal.aborted) return null
    const message = describeProblem(error)
    if (message === null)
      context.feeds.log('feed pull failed', {
        feedId: context.source.feed.feedId,
        stream: context.stream.name,
        error: hideSecrets(
          error instanceof Error ? (error.stack ?? error.message) : String(error),
          context.source.auth,
        ),
      })
    const retryAfter = error instanceof FeedProblem ? error.retryAfter : null
    return {
      status: 'failed',
      records: 0,
      newest: null,
      problem: message ?? 'The server could not store what it fetched.',
      retryAfter,
    }
  }
}
