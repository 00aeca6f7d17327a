import { createHash } from 'node:crypto'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import { FeedProblem } from '../feed-problem.ts'
import type { FullAuth } from './full-auth.ts'

type OAuth = Extract<FullAuth, { kind: 'oauth' }>

/** Access tokens for client credentials (RFC 6749, 4.4), cached until shortly before they expire. */
export interface OAuthTokens {
  /** Returns a cached or new access token. @throws FeedProblem if none can be obtained. */
  token(auth: OAuth, signal?: AbortSignal): Promise<string>
  /** Discards a rejected token, so that the next call requests another one. */
  discard(auth: OAuth): void
}

/** The lifetime of tokens without `expires_in`. */
const defaultExpirySeconds = 300
const timeoutMs = 20_000

const cacheKey = (auth: OAuth): string =>
  createHash('sha256')
    .update(JSON.stringify([auth.tokenUrl, auth.clientId, auth.clientSecret, auth.scope]))
    .digest('hex')
/** An access token consists of visible ASCII characters (RFC 6749, A.12). */
const visibleAsciiPattern = /^[\x21-\x7e]+$/
/** Encodes a client id or secret for the Authorization header (RFC 6749, 2.3.1). */
const encodeForm = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

export function createOAuthTokens(fetch: GuardedFetch, now: () => Date): OAuthTokens {
  const cachedTokens = new Map<string, { token: string; until: number }>()
  const pendingRequests = new Map<string, Promise<string>>()

  async function requestToken(
    auth: OAuth,
    inHeader: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      ...(auth.scope ? { scope: auth.scope } : {}),
      ...(inHeader ? {} : { client_id: auth.clientId, client_secret: auth.clientSecret }),
    })
    const basic = Buffer.from(`${encodeForm(auth.clientId)}:${encodeForm(auth.clientSecret)}`).toString(
      'base64',
    )
    return fetch(auth.tokenUrl, {
      method: 'POST',
      headers: { accept: 'application/json', ...(inHeader ? { authorization: `Basic ${basic}` } : {}) },
      body,
      timeoutMs,
      ...(signal ? { signal } : {}),
    })
  }

  async function fetchToken(auth: OAuth, signal: AbortSignal | undefined): Promise<string> {
    const firstResponse = await requestToken(auth, true, signal)
    // Servers must accept credentials in the header, but some accept them only in the form.
    const response = [400, 401].includes(firstResponse.status)
      ? await requestToken(auth, false, signal)
      : firstResponse
    if (response.status !== 200)
      throw new FeedProblem(
        `The token endpoint responded with status ${response.status}: check the client's id and secret.`,
        { status: response.status },
      )
    const grant = (await response.json().catch(() => null)) as {
      access_token?: unknown
      expires_in?: unknown
    } | null
    const token = grant?.access_token
    if (typeof token !== 'string' || !visibleAsciiPattern.test(token))
      throw new FeedProblem('The response of the token endpoint contains no access token.')
    const seconds = Number(grant?.expires_in) > 0 ? Number(grant?.expires_in) : defaultExpirySeconds
    cachedTokens.set(cacheKey(auth), {
      token,
      // A minute early, or a tenth of short lifetimes, so that a token does not expire during a request.
      until: now().getTime() + (seconds - Math.min(60, seconds / 10)) * 1000,
    })
    return token
  }

  return {
    async token(auth, signal) {
      const key = cacheKey(auth)
      const cached = cachedTokens.get(key)
      if (cached && cached.until > now().getTime()) return cached.token
      // Concurrent calls share one request.
      const shared =
        pendingRequests.get(key) ?? fetchToken(auth, signal).finally(() => pendingRequests.delete(key))
      pendingRequests.set(key, shared)
      return shared
    },
    discard: (auth) => void cachedTokens.delete(cacheKey(auth)),
  }
}
