import type { Adapter, PullWindow, Request, Stream } from '../adapters/adapter.ts'
import type { OAuthTokens } from '../auth/oauth-tokens.ts'
import { withoutSecrets } from '../auth/without-secrets.ts'
import { FeedProblem, problemWords, statusWords } from '../feed-problem.ts'
import type { FeedSource } from '../feed-source.ts'
import type { Feeds } from '../feeds.ts'
import { fetchPage, nextRequest } from './fetch-page.ts'
import type { Outcome } from './windows/record-outcome.ts'
import { storeRaw } from '../raw/store-raw.ts'
import { readAnswer } from '../reading/read-answer.ts'
import { recordPull } from './record-pull.ts'

/** Pages per pull window, and the time limit for all of them. */
const maxPages = 1000
const pullTimeoutMs = 15 * 60_000

/** The input of a pull. */
export interface PullContext {
  feeds: Feeds
  tokens: OAuthTokens
  adapter: Adapter
  source: FeedSource
  stream: Stream
  pullWindow: PullWindow
}

/** Fetches a pull window page by page. Each page is retained, parsed and stored before the next is requested, so that an interrupted pull can be repeated without loss or duplicates. */
async function pullPages(
  { feeds, tokens, adapter, source, stream, pullWindow }: PullContext,
  signal: AbortSignal,
): Promise<Outcome> {
  const { blobs, now, log } = feeds
  const { feedId, version } = source.feed
  const began = now().getTime()
  const seen = new Set<string>()
  let records = 0
  let newest: number | null = null
  let request: Request | null = adapter.request(source.feed, stream.name, pullWindow)
  for (let page = 0; request; page++) {
    if (page >= maxPages) throw new FeedProblem(`The response has more than ${maxPages} pages.`)
    if (seen.has(request.url)) throw new FeedProblem('The pages form a loop.')
    if (now().getTime() - began > pullTimeoutMs)
      throw new FeedProblem('The pages of one pull took longer than 15 minutes.')
    seen.add(request.url)
    const answer = await fetchPage(
      { fetch: feeds.fetch, tokens, now },
      adapter,
      source,
      stream.name,
      pullWindow,
      request,
      signal,
    )
    if (answer.readiness === 'nothing')
      return { status: 'nothing', records, newest, problem: null, retryAfter: null }
    if (answer.readiness === 'not_yet')
      return { status: 'waiting', records, newest, problem: null, retryAfter: answer.retryAfter }
    if (answer.readiness === 'failed')
      throw new FeedProblem(statusWords(answer.status), {
        status: answer.status,
        retryAfter: answer.retryAfter,
      })
    const from = stream.by === 'now' || stream.by === 'window' ? answer.received : pullWindow.from
    if (!adapter.isPersonal)
      await storeRaw(
        blobs,
        source.feed,
        {
          url: answer.address,
          status: answer.status,
          received: answer.received,
          stream: stream.name,
          windowStart: from,
          page,
          version,
        },
        answer.body,
      )
    let next: string | null = null
    const onParseError = (error: unknown): void =>
      log('feed could not be read', {
        feedId,
        stream: stream.name,
        error: withoutSecrets(
          error instanceof Error ? (error.stack ?? error.message) : String(error),
          source.auth,
        ),
      })
    for await (const read of readAnswer(
      adapter,
      source.feed,
      { ...answer, stream: stream.name },
      onParseError,
    )) {
      const stored = await recordPull(feeds, source, read, {
        stream: stream.name,
        windowStart: from,
        received: answer.received,
      })
      records += stored.accepted + stored.repeated
      if (stored.newest !== null) newest = Math.max(newest ?? 0, stored.newest)
      next = read.next
    }
    request = next === null ? null : nextRequest(source, request, next)
  }
  return { status: 'done', records, newest, problem: null, retryAfter: null }
}

/** Pulls one window. Returns its result; null if it was aborted, so that it is repeated. */
export async function pullStreamWindow(context: PullContext, signal: AbortSignal): Promise<Outcome | null> {
  try {
    return await pullPages(context, signal)
  } catch (error) {
    if (signal.aborted) return null
    const words = problemWords(error)
    if (words === null)
      context.feeds.log('feed pull failed', {
        feedId: context.source.feed.feedId,
        stream: context.stream.name,
        error: withoutSecrets(
          error instanceof Error ? (error.stack ?? error.message) : String(error),
          context.source.auth,
        ),
      })
    const retryAfter = error instanceof FeedProblem ? error.retryAfter : null
    return {
      status: 'failed',
      records: 0,
      newest: null,
      problem: words ?? 'The server could not store what it fetched.',
      retryAfter,
    }
  }
}
