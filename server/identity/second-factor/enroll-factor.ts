import type { EnrolledFactor } from '#contract/identity.ts'
import type { State } from '#server/stores/state.ts'
import { createAuthError } from '../auth-errors.ts'
import { systemScope } from '../scope.ts'

/** A factor with a verified first code. Secret and recovery codes are encrypted for the identity library. */
export interface VerifiedFactor {
  userId: string
  kind: EnrolledFactor['kind']
  phoneNumber: string | null
  /** Secret of an authenticator app; for a phone a random text, because the column is required. */
  secret: string
  /** The time step of the verified code, which must not be used again. */
  totpStep: number | null
  /** Stored only for the first factor; later factors do not replace them. */
  recoveryCodes: string
}

/** Enrolls a verified factor. Returns whether it is the user's first, for which recovery codes are stored. */
export async function enrollFactor(
  state: State,
  factor: VerifiedFactor,
  at: Date,
): Promise<{ isFirst: boolean }> {
  const { userId, kind, secret } = factor
  return state
    .as(systemScope)
    .transaction()
    .execute(async (store) => {
      // Locks the user, to serialize enrollments.
      await store.selectFrom('user').select('id').where('id', '=', userId).forUpdate().execute()
      const kinds = (
        await store.selectFrom('enrolled_factor').select('kind').where('user_id', '=', userId).execute()
      ).map((row) => row.kind)
      if (kinds.includes(kind)) throw createAuthError('FACTOR_ALREADY_ENROLLED')
      const isFirst = kinds.length === 0
      const appFields = { secret, verified: true, lastTotpStep: factor.totpStep }
      if (isFirst) {
        await store.deleteFrom('twoFactor').where('userId', '=', userId).execute()
        await store
          .insertInto('twoFactor')
          .values({ userId, backupCodes: factor.recoveryCodes, ...appFields, verified: kind === 'totp' })
          .execute()
      } else if (kind === 'totp')
        await store.updateTable('twoFactor').set(appFields).where('userId', '=', userId).execute()
      await store
        .insertInto('enrolled_factor')
        .values({ user_id: userId, kind, phone_number: factor.phoneNumber, enrolled_time: at })
        .execute()
      await store.updateTable('user').set({ twoFactorEnabled: true }).where('id', '=', userId).execute()
      return { isFirst }
    })
}
