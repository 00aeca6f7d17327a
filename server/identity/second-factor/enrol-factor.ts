import type { EnrolledFactor } from '#contract/identity.ts'
import type { State } from '#server/stores/state.ts'
import { authError } from '../auth-errors.ts'
import { systemScope } from '../scope.ts'

/** A factor whose first code was right. Secret and recovery codes are encrypted as the identity library reads them. */
export interface Proven {
  userId: string
  kind: EnrolledFactor['kind']
  phoneNumber: string | null
  /** Of an authenticator app; of a phone one that nobody has, for the column wants one. */
  secret: string
  /** The step of the code that proved it: it has been used. */
  totpStep: number | null
  /** They count where this is the first factor; later ones leave the codes as they are. */
  recoveryCodes: string
}

/** Puts a proven factor in force. Answers whether it is the first, so that its recovery codes count. */
export async function enrolFactor(state: State, proven: Proven, at: Date): Promise<{ first: boolean }> {
  const { userId, kind, secret } = proven
  return state
    .as(systemScope)
    .transaction()
    .execute(async (store) => {
      // One enrolment of a user at a time.
      await store.selectFrom('user').select('id').where('id', '=', userId).forUpdate().execute()
      const kinds = (
        await store.selectFrom('enrolled_factor').select('kind').where('user_id', '=', userId).execute()
      ).map((each) => each.kind)
      if (kinds.includes(kind)) throw authError('FACTOR_ALREADY_ENROLLED')
      const first = kinds.length === 0
      const app = { secret, verified: true, lastTotpStep: proven.totpStep }
      if (first) {
        await store.deleteFrom('twoFactor').where('userId', '=', userId).execute()
        await store
          .insertInto('twoFactor')
          .values({ userId, backupCodes: proven.recoveryCodes, ...app, verified: kind === 'totp' })
          .execute()
      } else if (kind === 'totp')
        await store.updateTable('twoFactor').set(app).where('userId', '=', userId).execute()
      await store
        .insertInto('enrolled_factor')
        .values({ user_id: userId, kind, phone_number: proven.phoneNumber, enrolled_time: at })
        .execute()
      await store.updateTable('user').set({ twoFactorEnabled: true }).where('id', '=', userId).execute()
      return { first }
    })
}
