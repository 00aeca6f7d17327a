import type { State } from '#server/stores/state.ts'
import { findFactors } from '../find-user.ts'

/** What a sign-in waits for: the kinds that the user has enrolled, the first enrolled first, and which phone a code would go to. */
export async function signInMethods(state: State, userId: string) {
  const factors = await findFactors(state, userId)
  return {
    twoFactorRedirect: true,
    twoFactorMethods: factors.map(({ kind }) => (kind === 'totp' ? 'totp' : 'otp')),
    phoneHint: factors.find(({ kind }) => kind === 'phone')?.displayName ?? null,
  }
}
