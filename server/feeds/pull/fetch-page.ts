import type { Adapter, PullWindow, Request, Readiness } from '../adapters/adapter.ts'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import type { FullAuth } from '../auth/full-auth.ts'
import type { OAuthTokens } from '../auth/oauth-tokens.ts'
import { bodyWithoutSecrets, shownAddress } from '../auth/without-secrets.ts'
import { FeedProblem } from '../feed-problem.ts'
import type { FeedSource } from '../feed-source.ts'

/** A request with credentials. `token`: the access token of a feed with OAuth. */
export function authorize(request: Request, auth: FullAuth, token: string | null): Request {
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

/** What fetching needs. */
export interface Fetching {
  fetch: GuardedFetch
  tokens: OAuthTokens
  now: () => Date
}

/** One response of an operator's server. */
export interface Page {
  /** Its address, without secrets. */
  address: string
  status: number
  readiness: Readiness
  /** Ms that the server asks us to wait; null if it does not. */
  retryAfter: number | null
  body: Buffer
  received: number
}

const maxBytes = 256 * 1024 * 1024
const timeoutMs = 60_000
const redirects = 3

/** Ms until the time of a Retry-After header: seconds, or a date. */
export function retryAfterOf(text: string | null, now: number): number | null {
  if (!text) return null
  const wait = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now
  return wait > 0 ? Math.min(wait, 24 * 3_600_000) : null
}

const isOwn = ({ feed }: FeedSource, address: string): boolean =>
  URL.canParse(address) && URL.canParse(feed.url) && new URL(address).origin === new URL(feed.url).origin

/** Fetches one page. Throws errors that problemWords has messages for. */
export async function fetchPage(
  { fetch, tokens, now }: Fetching,
  adapter: Adapter,
  source: FeedSource,
  stream: string,
  pullWindow: PullWindow,
  request: Request,
  signal?: AbortSignal,
): Promise<Page> {
  // A feed may name pages of other servers: secrets are sent to its own server only.
  const auth: FullAuth = isOwn(source, request.url) ? source.auth : { kind: 'none' }
  if (source.unreadable) throw new FeedProblem(source.unreadable)
  const sendRequest = async (token: string | null): Promise<Response> => {
    const { url, headers } = authorize(request, auth, token)
    return fetch(url, {
      headers: { 'user-agent': 'publicway', 'accept-encoding': 'gzip', ...headers },
      redirects,
      maxBytes,
      timeoutMs,
      ...(signal ? { signal } : {}),
    })
  }
  let token = auth.kind === 'oauth' ? await tokens.token(auth, signal) : null
  let response = await sendRequest(token)
  if (auth.kind === 'oauth' && response.status === 401) {
    tokens.forget(auth)
    token = await tokens.token(auth, signal)
    response = await sendRequest(token)
  }
  const received = now().getTime()
  const usedTokens = token ? [token] : []
  return {
    address: shownAddress(request.url, source.auth, usedTokens),
    status: response.status,
    readiness:
      adapter.readiness?.(response.status, stream, pullWindow, received) ??
      (response.status === 200 ? 'ready' : 'failed'),
    retryAfter: retryAfterOf(response.headers.get('retry-after'), received),
    body: bodyWithoutSecrets(Buffer.from(await response.arrayBuffer()), source.auth, usedTokens),
    received,
  }
}

/** The request of the next page. Throws FeedProblem if it is at another server, which must not receive the secrets. */
export function nextRequest(source: FeedSource, before: Request, next: string): Request {
  if (!URL.canParse(next, before.url)) throw new FeedProblem('The address of the next page is invalid.')
  const url = new URL(next, before.url)
  // GBFS is public, and its discovery file names other hosts.
  const mayLeave = source.kind === 'gbfs' && source.auth.kind === 'none'
  if (url.origin !== new URL(before.url).origin && !mayLeave)
    throw new FeedProblem('The next page is at another server; it was not called.')
  return { url: url.href, headers: before.headers }
}
