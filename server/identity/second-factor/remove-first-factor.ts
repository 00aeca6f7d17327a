import type { EnrolledFactor } from '#contract/identity.ts'
import type { State } from '#server/stores/state.ts'
import { systemScope } from '../scope.ts'

/** Removes the factor that was enrolled first, and no other (1-product, section 4); with the last one go the recovery codes. Answers its kind, null where there was none. */
export async function removeFirstFactor(
  state: State,
  userId: string,
): Promise<EnrolledFactor['kind'] | null> {
  return state
    .as(systemScope)
    .transaction()
    .execute(async (store) => {
      await store.selectFrom('user').select('id').where('id', '=', userId).forUpdate().execute()
      const [first, ...others] = await store
        .selectFrom('enrolled_factor')
        .select(['factor_id', 'kind'])
        .where('user_id', '=', userId)
        .orderBy('enrolled_time')
        .orderBy('factor_id')
        .execute()
      if (!first) return null
      await store.deleteFrom('enrolled_factor').where('factor_id', '=', first.factor_id).execute()
      await store.deleteFrom('pending_factor').where('user_id', '=', userId).execute()
      if (!others.length) {
        await store.deleteFrom('twoFactor').where('userId', '=', userId).execute()
        await store.updateTable('user').set({ twoFactorEnabled: false }).where('id', '=', userId).execute()
      } else if (first.kind === 'totp')
        await store.updateTable('twoFactor').set({ verified: false }).where('userId', '=', userId).execute()
      return first.kind
    })
}
