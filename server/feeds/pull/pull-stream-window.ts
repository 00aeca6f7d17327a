import type { Adapter, PullWindow, PageRequest, Stream } from '../adapters/adapter.ts'
import type { OAuthTokens } from '../auth/oauth-tokens.ts'
import { hideSecrets } from '../auth/hide-secrets.ts'
import { FeedProblem, describeProblem, describeStatus } from '../feed-problem.ts'
import type { FeedSource } from '../feed-source.ts'
import type { FeedServices } from '../feed-services.ts'
import { fetchPage, findNextRequest, type Page } from './fetch-page.ts'
import type { Outcome } from './windows/record-outcome.ts'
import { storeRaw } from '../raw/store-raw.ts'
import { readResponse } from '../reading/read-response.ts'
import { recordPull } from './record-pull.ts'

/** The maximum number of pages per pull window. */
const maxPages = 1000
/** The time limit for all pages of a pull window. */
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

/** What was read from the pages of a pull so far. */
interface PullTotals {
  records: number
  /** The time of the newest record, ms; null if none has a time. */
  newest: number | null
}

/**
 * Fetches a pull window page by page. Each page is retained, parsed and stored before the next one is
 * requested, so that an interrupted pull can be repeated without loss or duplicates.
 */
async function pullPages(context: PullContext, signal: AbortSignal): Promise<Outcome> {
  const { feeds, tokens, adapter, source, stream, pullWindow } = context
  const { now } = feeds
  const startedMs = now().getTime()
  const requestedUrls = new Set<string>()
  const totals: PullTotals = { records: 0, newest: null }
  let request: PageRequest | null = adapter.request(source.feed, stream.name, pullWindow)
  for (let page = 0; request; page++) {
    if (page >= maxPages) throw new FeedProblem(`The response has more than ${maxPages} pages.`)
    if (requestedUrls.has(request.url)) throw new FeedProblem('The pages form a loop.')
    if (now().getTime() - startedMs > pullTimeoutMs)
      throw new FeedProblem('The pages of one pull took longer than 15 minutes.')
    requestedUrls.add(request.url)
    const response = await fetchPage(
      { fetch: feeds.fetch, tokens, now },
      { adapter, source, stream: stream.name, pullWindow, request },
      signal,
    )
    if (response.readiness === 'nothing')
      return { status: 'nothing', ...totals, problem: null, retryAfter: null }
    if (response.readiness === 'not_yet')
      return { status: 'waiting', ...totals, problem: null, retryAfter: response.retryAfter }
    if (response.readiness === 'failed')
      throw new FeedProblem(describeStatus(response.status), {
        status: response.status,
        retryAfter: response.retryAfter,
      })
    const next = await storePage(context, response, page, totals)
    request = next === null ? null : findNextRequest(source, request, next)
  }
  return { status: 'done', ...totals, problem: null, retryAfter: null }
}

/** Retains and stores a page, and adds to `totals`. Returns the next page's URL; null if it is the last. */
async function storePage(
  context: PullContext,
  response: Page,
  page: number,
  totals: PullTotals,
): Promise<string | null> {
  const { feeds, adapter, source, stream, pullWindow } = context
  const { received } = response
  const isContinuous = stream.window === 'now' || stream.window === 'recent'
  const windowStart = isContinuous ? received : pullWindow.from
  if (!adapter.isPersonal)
    await storeRaw(
      feeds.blobs,
      source.feed,
      {
        url: response.address,
        status: response.status,
        received,
        stream: stream.name,
        windowStart,
        page,
        version: source.feed.version,
      },
      response.body,
    )
  let next: string | null = null
  const onParseError = (error: unknown): void => logError(context, 'feed could not be read', error)
  for await (const result of readResponse(
    adapter,
    source.feed,
    { ...response, stream: stream.name },
    onParseError,
  )) {
    const stored = await recordPull(feeds, source, result, { stream: stream.name, windowStart, received })
    totals.records += stored.accepted + stored.repeated
    if (stored.newest !== null) totals.newest = Math.max(totals.newest ?? 0, stored.newest)
    next = result.next
  }
  return next
}

function logError({ feeds, source, stream }: PullContext, message: string, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  feeds.log(message, {
    feedId: source.feed.feedId,
    stream: stream.name,
    error: hideSecrets(text, source.auth),
  })
}

/** Pulls a window. Returns the outcome; null if it was aborted and must be repeated. */
export async function pullStreamWindow(context: PullContext, signal: AbortSignal): Promise<Outcome | null> {
  try {
    return await pullPages(context, signal)
  } catch (error) {
    if (signal.aborted) return null
    const message = describeProblem(error)
    if (message === null) logError(context, 'feed pull failed', error)
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
