import {
  authorizationCodeGrant,
  AuthorizationResponseError,
  type Configuration,
  fetchUserInfo,
} from 'openid-client'
import { FetchRefused } from '#server/http/guarded-fetch.ts'
import type { SignInAttempt } from './sign-in-attempt.ts'
import { SsoRefusal } from './sso.ts'

/** A provider's claims about a user. Only their format has been validated. */
export interface Claims {
  subject: string
  email: string | null
  emailVerified: boolean
  name: string | null
}

/** Returns trimmed text; null if the value is no text, empty, too long or contains U+0000. */
const readText = (value: unknown, maxLength: number): string | null =>
  typeof value === 'string' && value.trim() && value.length <= maxLength && !value.includes('\0')
    ? value.trim()
    : null

/** Returns the name and codes of an error for the log, without its message, which may quote tokens. */
function toReason(error: unknown): string {
  const { name, code, cause } = (error ?? {}) as { name?: string; code?: unknown; cause?: unknown }
  const { error: causeError } = (cause ?? {}) as { error?: unknown }
  const causeCode = cause instanceof FetchRefused ? cause.code : causeError
  return (
    [name, code, causeCode]
      .filter((text) => typeof text === 'string' && /^[\w-]{1,60}$/.test(text))
      .join(' ') || 'unknown'
  )
}

/**
 * Exchanges the code for tokens and reads the claims. The library checks state, issuer, PKCE, nonce,
 * audience, times and the ID token's signature.
 * @throws SsoRefusal.
 */
export async function readClaims(
  client: Configuration,
  { callbackUrl, state, attempt }: { callbackUrl: URL; state: string; attempt: SignInAttempt },
): Promise<Claims> {
  try {
    const tokens = await authorizationCodeGrant(client, callbackUrl, {
      expectedState: state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.verifier,
      idTokenExpected: true,
    })
    const token = tokens.claims()
    if (!token) throw new SsoRefusal('PROVIDER_FAILED', 'no ID token')
    // Many providers return the e-mail only from the userinfo endpoint.
    const userInfo =
      token['email'] === undefined && client.serverMetadata().userinfo_endpoint
        ? await fetchUserInfo(client, tokens.access_token, token.sub)
        : {}
    const claims: Record<string, unknown> = { ...userInfo, ...token }
    const subject = readText(token.sub, 255)
    if (!subject) throw new SsoRefusal('PROVIDER_FAILED', 'no subject')
    const email = readText(claims['email'], 254)?.toLowerCase() ?? null
    return {
      subject,
      email: email && /^[^\s@]+@[^\s@]+$/.test(email) ? email : null,
      emailVerified: claims['email_verified'] === true,
      name: readText(claims['name'], 120),
    }
  } catch (error) {
    if (error instanceof SsoRefusal) throw error
    if (error instanceof AuthorizationResponseError && error.error === 'access_denied')
      throw new SsoRefusal('SIGN_IN_CANCELLED', 'access_denied')
    throw new SsoRefusal('PROVIDER_FAILED', toReason(error))
  }
}
