import { createHash } from 'node:crypto'
import { randomState } from 'openid-client'
import { systemScope } from '../scope.ts'
import type { Sso } from './sso.ts'

/** An unfinished sign-in at a provider. */
export interface SignInAttempt {
  providerId: string
  nonce: string
  /** PKCE code verifier. */
  verifier: string
  /** Digest of the secret in the cookie of the browser that started the sign-in. */
  browser: string
  /** Path on this site that is opened after the sign-in. */
  place: string
  mode: 'page' | 'popup'
}

/** Maximum duration of a sign-in at the provider. */
export const attemptMs = 10 * 60_000
const purpose = 'sign-in-attempt'

/** Returns the digest under which a secret of a sign-in is stored. */
export const toDigest = (text: string): string => createHash('sha256').update(text).digest('base64url')

type AttemptStore = Pick<Sso, 'state' | 'secretBox'>

/** Stores an attempt, encrypted, and returns its `state` parameter, of which only a digest is stored. */
export async function storeAttempt(
  { state, secretBox }: AttemptStore,
  attempt: SignInAttempt,
  at: Date,
): Promise<string> {
  const stateParameter = randomState()
  const store = state.as(systemScope)
  await store.deleteFrom('sign_in_attempt').where('expires_time', '<=', at).execute()
  await store
    .insertInto('sign_in_attempt')
    .values({
      attempt_id: toDigest(stateParameter),
      provider_id: attempt.providerId,
      sealed: secretBox.seal(purpose, JSON.stringify(attempt)),
      expires_time: new Date(at.getTime() + attemptMs),
    })
    .execute()
  return stateParameter
}

/** Deletes and returns the attempt of a `state` parameter; null if it was used, has expired or is unknown. */
export async function consumeAttempt(
  { state, secretBox }: AttemptStore,
  stateParameter: string,
  at: Date,
): Promise<SignInAttempt | null> {
  const row = await state
    .as(systemScope)
    .deleteFrom('sign_in_attempt')
    .where('attempt_id', '=', toDigest(stateParameter))
    .returningAll()
    .executeTakeFirst()
  if (!row || row.expires_time <= at) return null
  return JSON.parse(secretBox.open(purpose, row.sealed)) as SignInAttempt
}
