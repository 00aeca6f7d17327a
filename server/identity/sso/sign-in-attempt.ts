import { createHash } from 'node:crypto'
import { randomState } from 'openid-client'
import { systemScope } from '../scope.ts'
import type { Sso } from './sso.ts'

/** A sign-in that is under way at a provider. */
export interface SignInAttempt {
  providerId: string
  nonce: string
  /** PKCE. */
  verifier: string
  /** Digest of the secret that the browser keeps in a cookie. */
  browser: string
  /** Where to go afterwards: a path of this site. */
  place: string
  mode: 'page' | 'popup'
}

/** Time to sign in at the provider. */
export const attemptMs = 10 * 60_000

const purpose = 'sign-in-attempt'

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

type AttemptStore = Pick<Sso, 'state' | 'box'>

/** Keeps an attempt and answers its `state`; the store holds only a digest of that, and the rest sealed. */
export async function storeAttempt(
  { state, box }: AttemptStore,
  attempt: SignInAttempt,
  at: Date,
): Promise<string> {
  const text = randomState()
  const store = state.as(systemScope)
  await store.deleteFrom('sign_in_attempt').where('expires_time', '<=', at).execute()
  await store
    .insertInto('sign_in_attempt')
    .values({
      attempt_id: digestOf(text),
      provider_id: attempt.providerId,
      sealed: box.seal(purpose, JSON.stringify(attempt)),
      expires_time: new Date(at.getTime() + attemptMs),
    })
    .execute()
  return text
}

/** Takes the attempt of a `state` out of the store, so that it serves once; null if there is none or it is too old. */
export async function consumeAttempt(
  { state, box }: AttemptStore,
  text: string,
  at: Date,
): Promise<SignInAttempt | null> {
  const row = await state
    .as(systemScope)
    .deleteFrom('sign_in_attempt')
    .where('attempt_id', '=', digestOf(text))
    .returningAll()
    .executeTakeFirst()
  if (!row || row.expires_time <= at) return null
  return JSON.parse(box.open(purpose, row.sealed)) as SignInAttempt
}
