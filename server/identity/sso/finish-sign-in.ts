import { timingSafeEqual } from 'node:crypto'
import { writeAudit } from '../write-audit.ts'
import { UnusableProvider } from './discover-provider.ts'
import { findOrCreateUser } from './find-or-create-user.ts'
import { findProvider } from './find-provider.ts'
import { readClaims } from './read-claims.ts'
import { digestOf, type SignInAttempt, consumeAttempt } from './sign-in-attempt.ts'
import { callbackPath, type Sso } from './sso.ts'
import { SsoRefusal } from './sso-refusal.ts'

export interface FinishRequest {
  /** Of the address that the provider called. */
  organizationId: string
  /** What the provider sent along, as it came. */
  query: string
  /** The secret of the browser's cookie; null where there is none. */
  browser: string | null
  address: string
  userAgent: string | null
}

/** A refusal of which it is known where the browser wanted to go. */
export interface Finished {
  attempt: Pick<SignInAttempt, 'place' | 'mode'> | null
  outcome: { cookies: string[]; providerId: string } | SsoRefusal
}

/** Ends a sign-in: checks the provider's answer and opens the session of the user whom it names. */
export async function finishSignIn(sso: Sso, ask: FinishRequest, at: Date): Promise<Finished> {
  let attempt: SignInAttempt | null = null
  try {
    const state = new URLSearchParams(ask.query).get('state')
    attempt = state ? await consumeAttempt(sso, state, at) : null
    if (!state || !attempt) throw new SsoRefusal('ATTEMPT_INVALID', 'unknown, used or too old')
    if (!sameBrowser(attempt, ask.browser)) {
      attempt = null
      throw new SsoRefusal('ATTEMPT_INVALID', 'of another browser, or begun under another host name')
    }
    return { attempt, outcome: await enter(sso, ask, { state, attempt }, at) }
  } catch (error) {
    if (!(error instanceof SsoRefusal)) throw error
    return { attempt, outcome: error }
  }
}

function sameBrowser({ browser }: SignInAttempt, secret: string | null): boolean {
  return secret !== null && timingSafeEqual(Buffer.from(browser), Buffer.from(digestOf(secret)))
}

async function enter(
  sso: Sso,
  ask: FinishRequest,
  { state, attempt }: { state: string; attempt: SignInAttempt },
  at: Date,
): Promise<{ cookies: string[]; providerId: string }> {
  const provider = await findProvider(sso.state, { providerId: attempt.providerId })
  if (!provider) throw new SsoRefusal('ISSUER_UNKNOWN', 'the provider was switched off meanwhile')
  // Another organization's provider must not answer for this one (RFC 9700, section 4.4).
  if (provider.organization_id !== ask.organizationId)
    throw new SsoRefusal('ATTEMPT_INVALID', 'the answer came for another organization')
  const client = await sso.clients.clientOf(provider, at).catch((error: unknown) => {
    if (error instanceof UnusableProvider) throw new SsoRefusal('PROVIDER_FAILED', error.message)
    throw error
  })
  const returned = new URL(`${sso.publicUrl}${callbackPath(provider.organization_id)}?${ask.query}`)
  const claims = await readClaims(client, { returned, state, attempt })
  const user = await findOrCreateUser(sso.state, provider, claims, at)
  const headers = new Headers({
    'x-client-ip': ask.address,
    ...(ask.userAgent ? { 'user-agent': ask.userAgent } : {}),
  })
  const { headers: answered } = await sso.auth.api.enterBySingleSignOn({
    body: { userId: user.id },
    headers,
    returnHeaders: true,
  })
  await writeAudit(sso.state, {
    viewer: { userId: user.id, email: user.email, organizationId: user.organizationId, admin: null },
    action: 'sign-in',
    method: 'GET',
    path: callbackPath(user.organizationId),
    status: 302,
    address: ask.address,
    at,
  })
  return { cookies: answered.getSetCookie(), providerId: provider.provider_id }
}
