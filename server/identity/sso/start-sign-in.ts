import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
} from 'openid-client'
import { UnusableProvider } from './discover-provider.ts'
import { findProvider, type WhichProvider } from './find-provider.ts'
import { digestOf, storeAttempt } from './sign-in-attempt.ts'
import { callbackPath, type Sso } from './sso.ts'
import { SsoRefusal } from './sso-refusal.ts'

/** Where a browser may be led after the sign-in: a path of this site; anything else becomes the root. */
export function safePlace(place: string | null | undefined, publicUrl: string): string {
  if (!place?.startsWith('/') || place.length > 2000) return '/'
  // Addresses lose tabs and line ends when they are read: `/<tab>/elsewhere` is another site.
  if (/^\/[/\\]|\p{Cc}/u.test(place)) return '/'
  const url = URL.canParse(place, publicUrl) ? new URL(place, publicUrl) : null
  // `/.//elsewhere` is a path of two slashes once it has been read: for a browser, another site.
  if (
    url?.origin !== new URL(publicUrl).origin ||
    url.pathname.startsWith('//') ||
    /^\/(login|logout|oidc|oauth2|api)(\/|$)/.test(url.pathname)
  )
    return '/'
  return url.pathname + url.search + url.hash
}

export interface StartRequest {
  /** The provider by id or issuer; without both, by the domain of `loginHint`. */
  providerId: string | null
  issuer: string | null
  loginHint: string | null
  origin: string | null
  popup: boolean
  /** The secret of the browser's cookie. */
  browser: string
}

const domainOf = (email: string): string =>
  email
    .slice(email.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase()

function whichOf({ providerId, issuer, loginHint }: StartRequest): WhichProvider {
  if (providerId) return { providerId }
  if (issuer) return { issuer }
  if (loginHint?.includes('@')) return { emailDomain: domainOf(loginHint) }
  throw new SsoRefusal('ISSUER_NOT_PROVIDED', 'no provider, issuer or e-mail was given')
}

/** Begins a sign-in: answers where the browser must go. Throws SsoRefusal. */
export async function startSignIn(sso: Sso, ask: StartRequest, at: Date): Promise<URL> {
  const which = whichOf(ask)
  const row = await findProvider(sso.state, which)
  if (!row)
    throw new SsoRefusal('emailDomain' in which ? 'DOMAIN_UNKNOWN' : 'ISSUER_UNKNOWN', 'no enabled provider')
  const client = await sso.clients.clientOf(row, at).catch((error: unknown) => {
    if (error instanceof UnusableProvider) throw new SsoRefusal('PROVIDER_FAILED', error.message)
    throw error
  })
  const [nonce, verifier] = [randomNonce(), randomPKCECodeVerifier()]
  const attempt = {
    providerId: row.provider_id,
    nonce,
    verifier,
    browser: digestOf(ask.browser),
    place: safePlace(ask.origin, sso.publicUrl),
    mode: ask.popup ? 'popup' : 'page',
  } as const
  const state = await storeAttempt(sso, attempt, at)
  return buildAuthorizationUrl(client, {
    redirect_uri: sso.publicUrl + callbackPath(row.organization_id),
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(ask.loginHint ? { login_hint: ask.loginHint } : {}),
  })
}
