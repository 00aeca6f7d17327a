import { createAuthEndpoint } from 'better-auth/api'
import { createAuthError } from '../auth-errors.ts'
import type { AuthParts } from '../auth-parts.ts'
import { findFactors } from '../find-user.ts'
import { requireFreshSession } from '../credentials/auth-context.ts'
import { notifyFactorChange } from './notify-factor-change.ts'
import type { EnrolledFactor } from '#contract/identity.ts'
import type { State } from '#server/stores/state.ts'
import { systemScope } from '../scope.ts'

/**
 * Removes the factor that was enrolled first; with the last factor also the recovery codes. Returns the kind
 * of the factor; null if there was none.
 */
async function removeFirstFactor(state: State, userId: string): Promise<EnrolledFactor['kind'] | null> {
  return state
    .as(systemScope)
    .transaction()
    .execute(async (store) => {
      await store.selectFrom('user').select('id').where('id', '=', userId).forUpdate().execute()
      const [firstFactor, ...otherFactors] = await store
        .selectFrom('enrolled_factor')
        .select(['factor_id', 'kind'])
        .where('user_id', '=', userId)
        .orderBy('enrolled_time')
        .orderBy('factor_id')
        .execute()
      if (!firstFactor) return null
      await store.deleteFrom('enrolled_factor').where('factor_id', '=', firstFactor.factor_id).execute()
      await store.deleteFrom('pending_factor').where('user_id', '=', userId).execute()
      if (!otherFactors.length) {
        await store.deleteFrom('twoFactor').where('userId', '=', userId).execute()
        await store.updateTable('user').set({ twoFactorEnabled: false }).where('id', '=', userId).execute()
      } else if (firstFactor.kind === 'totp')
        await store.updateTable('twoFactor').set({ verified: false }).where('userId', '=', userId).execute()
      return firstFactor.kind
    })
}

/** Removes the first enrolled factor of the signed-in user. */
export const unenrollFactor = (parts: AuthParts) =>
  createAuthEndpoint(
    '/multi-factor/unenrol',
    { method: 'POST', use: [requireFreshSession(parts.now)] },
    async (ctx) => {
      const { user } = ctx.context.session
      const removed = await removeFirstFactor(parts.state, user.id)
      if (!removed) throw createAuthError('UNSUPPORTED_FACTOR')
      await notifyFactorChange(parts, ctx, { userId: user.id, change: { removed }, at: parts.now() })
      return ctx.json({ enrolledFactors: await findFactors(parts.state, user.id) })
    },
  )
