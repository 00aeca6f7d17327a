import { timingSafeEqual } from 'node:crypto'
import { writeAudit } from '../write-audit.ts'
import { UnusableProvider } from './discover-provider.ts'
import { findOrCreateUser } from './find-or-create-user.ts'
import { findProvider } from './find-provider.ts'
import { readClaims } from './read-claims.ts'
import { consumeAttempt, toDigest, type SignInAttempt } from './sign-in-attempt.ts'
import { getCallbackPath, type Sso, SsoRefusal } from './sso.ts'

/** A browser's request that comes back from a provider. */
export interface FinishRequest {
  /** The organization in the path of the callback. */
  organizationId: string
  /** The query of the callback, unchanged. */
  query: string
  /** The secret in the browser's cookie; null if there is none. */
  browser: string | null
  address: string
  userAgent: string | null
}

/** The outcome of a sign-in, with its attempt if it is valid for the browser. */
export interface FinishedSignIn {
  attempt: Pick<SignInAttempt, 'place' | 'mode'> | null
  outcome: { cookies: string[]; providerId: string } | SsoRefusal
}

/** Completes a sign-in: verifies the provider's response and opens a session for the user. */
export async function finishSignIn(sso: Sso, request: FinishRequest, at: Date): Promise<FinishedSignIn> {
  let attempt: SignInAttempt | null = null
  try {
    const state = new URLSearchParams(request.query).get('state')
    attempt = state ? await consumeAttempt(sso, state, at) : null
    if (!state || !attempt) throw new SsoRefusal('ATTEMPT_INVALID', 'unknown, used or too old')
    if (!isSameBrowser(attempt, request.browser)) {
      attempt = null
      throw new SsoRefusal('ATTEMPT_INVALID', 'of another browser, or begun under another host name')
    }
    return { attempt, outcome: await openSession(sso, request, { state, attempt }, at) }
  } catch (error) {
    if (!(error instanceof SsoRefusal)) throw error
    return { attempt, outcome: error }
  }
}

function isSameBrowser({ browser }: SignInAttempt, secret: string | null): boolean {
  return secret !== null && timingSafeEqual(Buffer.from(browser), Buffer.from(toDigest(secret)))
}

/** Exchanges the code of the provider and signs the user in. */
async function openSession(
  sso: Sso,
  request: FinishRequest,
  { state, attempt }: { state: string; attempt: SignInAttempt },
  at: Date,
): Promise<{ cookies: string[]; providerId: string }> {
  const provider = await findProvider(sso.state, { providerId: attempt.providerId })
  if (!provider) throw new SsoRefusal('ISSUER_UNKNOWN', 'the provider was switched off meanwhile')
  // The provider of another organization must not respond for this one (mix-up, RFC 9700, section 4.4).
  if (provider.organization_id !== request.organizationId)
    throw new SsoRefusal('ATTEMPT_INVALID', 'the answer came for another organization')
  const client = await sso.clients.getClient(provider, at).catch((error: unknown) => {
    if (error instanceof UnusableProvider) throw new SsoRefusal('PROVIDER_FAILED', error.message)
    throw error
  })
  const callbackUrl = new URL(`${sso.publicUrl}${getCallbackPath(provider.organization_id)}?${request.query}`)
  const claims = await readClaims(client, { callbackUrl, state, attempt })
  const user = await findOrCreateUser(sso.state, provider, claims, at)
  const headers = new Headers({
    'x-client-ip': request.address,
    ...(request.userAgent ? { 'user-agent': request.userAgent } : {}),
  })
  const { headers: sessionHeaders } = await sso.auth.api.enterBySingleSignOn({
    body: { userId: user.id },
    headers,
    returnHeaders: true,
  })
  await writeAudit(sso.state, {
    viewer: { userId: user.id, email: user.email, organizationId: user.organizationId, admin: null },
    action: 'sign-in',
    method: 'GET',
    path: getCallbackPath(user.organizationId),
    status: 302,
    address: request.address,
    at,
  })
  return { cookies: sessionHeaders.getSetCookie(), providerId: provider.provider_id }
}
