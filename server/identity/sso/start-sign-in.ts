import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
} from 'openid-client'
import { UnusableProvider } from './discover-provider.ts'
import { findProvider, type ProviderSelector } from './find-provider.ts'
import { toDigest, storeAttempt } from './sign-in-attempt.ts'
import { getCallbackPath, type Sso, SsoRefusal } from './sso.ts'

const maxPlaceLength = 2000

/** Returns a path on this site that may be opened after the sign-in; for anything else, the root. */
export function toSafePlace(place: string | null | undefined, publicUrl: string): string {
  if (!place?.startsWith('/') || place.length > maxPlaceLength) return '/'
  // URL parsers remove tabs and newlines, so `/<tab>/elsewhere` would lead to another site.
  if (/^\/[/\\]|\p{Cc}/u.test(place)) return '/'
  const url = URL.canParse(place, publicUrl) ? new URL(place, publicUrl) : null
  // `/.//elsewhere` is normalized to `//elsewhere`, which browsers treat as another site.
  if (
    url?.origin !== new URL(publicUrl).origin ||
    url.pathname.startsWith('//') ||
    /^\/(login|logout|oidc|oauth2|api)(\/|$)/.test(url.pathname)
  )
    return '/'
  return url.pathname + url.search + url.hash
}

/** A browser's request to sign in at a provider. */
export interface StartRequest {
  /** Selects the provider; without it `issuer` does, or else the domain of `loginHint` (an e-mail). */
  providerId: string | null
  issuer: string | null
  loginHint: string | null
  /** Path on this site to open after the sign-in. */
  origin: string | null
  isPopup: boolean
  /** The secret in the browser's cookie. */
  browser: string
}

const getDomain = (email: string): string =>
  email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()

function toSelector({ providerId, issuer, loginHint }: StartRequest): ProviderSelector {
  if (providerId) return { providerId }
  if (issuer) return { issuer }
  if (loginHint?.includes('@')) return { emailDomain: getDomain(loginHint) }
  throw new SsoRefusal('ISSUER_NOT_PROVIDED', 'no provider, issuer or e-mail was given')
}

/** Starts a sign-in and returns the provider's URL for the redirect. @throws SsoRefusal. */
export async function startSignIn(sso: Sso, request: StartRequest, at: Date): Promise<URL> {
  const selector = toSelector(request)
  const row = await findProvider(sso.state, selector)
  if (!row)
    throw new SsoRefusal(
      'emailDomain' in selector ? 'DOMAIN_UNKNOWN' : 'ISSUER_UNKNOWN',
      'no enabled provider',
    )
  const client = await sso.clients.getClient(row, at).catch((error: unknown) => {
    if (error instanceof UnusableProvider) throw new SsoRefusal('PROVIDER_FAILED', error.message)
    throw error
  })
  const nonce = randomNonce()
  const verifier = randomPKCECodeVerifier()
  const attempt = {
    providerId: row.provider_id,
    nonce,
    verifier,
    browser: toDigest(request.browser),
    place: toSafePlace(request.origin, sso.publicUrl),
    mode: request.isPopup ? 'popup' : 'page',
  } as const
  const state = await storeAttempt(sso, attempt, at)
  return buildAuthorizationUrl(client, {
    redirect_uri: sso.publicUrl + getCallbackPath(row.organization_id),
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(request.loginHint ? { login_hint: request.loginHint } : {}),
  })
}
