import { dayMs } from '#contract/period.ts'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import type { Adapter, PullWindow, PageRequest, Readiness } from '../adapters/adapter.ts'
import type { FullAuth } from '../auth/full-auth.ts'
import type { OAuthTokens } from '../auth/oauth-tokens.ts'
import { hideSecretsInBody, hideSecretsInUrl } from '../auth/hide-secrets.ts'
import { FeedProblem } from '../feed-problem.ts'
import type { FeedSource } from '../feed-source.ts'

/** Adds credentials to a request. `token`: the access token of a feed with OAuth. */
export function authorize(request: PageRequest, auth: FullAuth, token: string | null): PageRequest {
  const headers: Record<string, string> = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const url = new URL(request.url)
  url.hash = ''
  if (auth.kind === 'bearer') headers['authorization'] = `Bearer ${auth.token}`
  if (auth.kind === 'oauth' && token) headers['authorization'] = `Bearer ${token}`
  if (auth.kind === 'headers') for (const { name, value } of auth.headers) headers[name.toLowerCase()] = value
  if (auth.kind === 'query') for (const { name, value } of auth.query) url.searchParams.set(name, value)
  return { url: url.href, headers }
}

/** Dependencies of `fetchPage`. */
export interface FetchServices {
  fetch: GuardedFetch
  tokens: OAuthTokens
  now: () => Date
}

/** A response of an operator's server. */
export interface Page {
  /** Its URL without secrets. */
  address: string
  /** The HTTP status. */
  status: number
  readiness: Readiness
  /** The delay that the server requests, ms; null if it requests none. */
  retryAfter: number | null
  /** Without secrets that the server echoed. */
  body: Buffer
  /** Milliseconds since 1970. */
  received: number
}

/** `fetchMessages` (feed-problem.ts) names these limits. */
const maxBytes = 256 * 1024 * 1024
const timeoutMs = 60_000
const maxRedirects = 3

/** Parses a Retry-After header (seconds or a date) to a delay in ms of at most a day; null without a delay. */
export function parseRetryAfter(text: string | null, now: number): number | null {
  if (!text) return null
  const delayMs = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now
  return delayMs > 0 ? Math.min(delayMs, dayMs) : null
}

const isSameServer = ({ feed }: FeedSource, url: string): boolean =>
  URL.canParse(url) && URL.canParse(feed.url) && new URL(url).origin === new URL(feed.url).origin

/** The page to fetch and the pull that it belongs to. */
export interface PageFetch {
  adapter: Adapter
  source: FeedSource
  stream: string
  pullWindow: PullWindow
  request: PageRequest
}

/** Fetches a page. `describeProblem` converts errors of this function to messages. */
export async function fetchPage(
  { fetch, tokens, now }: FetchServices,
  { adapter, source, stream, pullWindow, request }: PageFetch,
  signal?: AbortSignal,
): Promise<Page> {
  // A feed may link to other servers. Secrets are sent to its own server only.
  const auth: FullAuth = isSameServer(source, request.url) ? source.auth : { kind: 'none' }
  if (source.unreadable) throw new FeedProblem(source.unreadable)
  const sendRequest = async (token: string | null): Promise<Response> => {
    const { url, headers } = authorize(request, auth, token)
    return fetch(url, {
      headers: { 'user-agent': 'publicway', 'accept-encoding': 'gzip', ...headers },
      redirects: maxRedirects,
      maxBytes,
      timeoutMs,
      ...(signal ? { signal } : {}),
    })
  }
  let token = auth.kind === 'oauth' ? await tokens.token(auth, signal) : null
  let response = await sendRequest(token)
  if (auth.kind === 'oauth' && response.status === 401) {
    tokens.discard(auth)
    token = await tokens.token(auth, signal)
    response = await sendRequest(token)
  }
  const received = now().getTime()
  const usedTokens = token ? [token] : []
  return {
    address: hideSecretsInUrl(request.url, source.auth, usedTokens),
    status: response.status,
    readiness:
      adapter.readiness?.(response.status, stream, pullWindow, received) ??
      (response.status === 200 ? 'ready' : 'failed'),
    retryAfter: parseRetryAfter(response.headers.get('retry-after'), received),
    body: hideSecretsInBody(Buffer.from(await response.arrayBuffer()), source.auth, usedTokens),
    received,
  }
}

/**
 * Finds the request of the next page.
 * @throws FeedProblem if it is on another server, which must not receive the secrets.
 */
export function findNextRequest(source: FeedSource, previous: PageRequest, next: string): PageRequest {
  if (!URL.canParse(next, previous.url)) throw new FeedProblem('The address of the next page is invalid.')
  const url = new URL(next, previous.url)
  // Public GBFS feeds have no secrets, and their discovery files may link to other servers.
  const canLeaveServer = source.kind === 'gbfs' && source.auth.kind === 'none'
  if (url.origin !== new URL(previous.url).origin && !canLeaveServer)
    throw new FeedProblem('The next page is on another server, so it was not requested.')
  return { url: url.href, headers: previous.headers }
}
