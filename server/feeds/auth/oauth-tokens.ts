import { createHash } from 'node:crypto'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import { FeedProblem } from '../feed-problem.ts'
import type { FullAuth } from './full-auth.ts'

type OAuth = Extract<FullAuth, { kind: 'oauth' }>

/** Access tokens by client credentials (RFC 6749, 4.4), cached in memory until shortly before they expire. */
export interface OAuthTokens {
  /** Throws FeedProblem if no token can be obtained. */
  token(auth: OAuth, signal?: AbortSignal): Promise<string>
  /** Discards a refused token: the next call requests another. */
  forget(auth: OAuth): void
}

const defaultExpirySeconds = 300
const timeoutMs = 20_000

const keyOf = (auth: OAuth): string =>
  createHash('sha256')
    .update(JSON.stringify([auth.tokenUrl, auth.clientId, auth.clientSecret, auth.scope]))
    .digest('hex')
/** Credentials as RFC 6749, 2.3.1 encodes them in a header. */
const formText = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

export function oauthTokens(fetch: GuardedFetch, now: () => Date): OAuthTokens {
  const cachedTokens = new Map<string, { token: string; until: number }>()
  const asking = new Map<string, Promise<string>>()

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
    const basic = Buffer.from(`${formText(auth.clientId)}:${formText(auth.clientSecret)}`).toString('base64')
    return fetch(auth.tokenUrl, {
      method: 'POST',
      headers: { accept: 'application/json', ...(inHeader ? { authorization: `Basic ${basic}` } : {}) },
      body,
      timeoutMs,
      ...(signal ? { signal } : {}),
    })
  }

  async function fetchToken(auth: OAuth, signal: AbortSignal | undefined): Promise<string> {
    const first = await requestToken(auth, true, signal)
    // Servers must accept the header; some accept the form only.
    const response = [400, 401].includes(first.status) ? await requestToken(auth, false, signal) : first
    if (response.status !== 200)
      throw new FeedProblem(
        `The token address answered ${response.status}: check the client's id and secret.`,
        { status: response.status },
      )
    const answer = (await response.json().catch(() => null)) as {
      access_token?: unknown
      expires_in?: unknown
    } | null
    const token = answer?.access_token
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
      throw new FeedProblem('The token address answered without an access token.')
    const seconds = Number(answer?.expires_in) > 0 ? Number(answer?.expires_in) : defaultExpirySeconds
    cachedTokens.set(keyOf(auth), {
      token,
      until: now().getTime() + (seconds - Math.min(60, seconds / 10)) * 1000,
    })
    return token
  }

  return {
    async token(auth, signal) {
      const key = keyOf(auth)
      const have = cachedTokens.get(key)
      if (have && have.until > now().getTime()) return have.token
      // Concurrent calls of one feed share one request.
      const shared = asking.get(key) ?? fetchToken(auth, signal).finally(() => asking.delete(key))
      asking.set(key, shared)
      return shared
    },
    forget: (auth) => void cachedTokens.delete(keyOf(auth)),
  }
}
