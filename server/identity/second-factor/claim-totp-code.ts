import { symmetricDecrypt } from 'better-auth/crypto'
import type { State } from '#server/stores/state.ts'
import { authError } from '../auth-errors.ts'
import type { AuthContext } from '../credentials/auth-context.ts'
import { systemScope } from '../scope.ts'
import { matchingStep } from './totp.ts'

/** Uses up the step of a right code before it is accepted; throws INVALID_CODE for one that was used: who looks over a shoulder comes too late. A wrong code is left to be counted. */
export async function claimTotpCode(
  ctx: Pick<AuthContext, 'context'>,
  state: State,
  userId: string,
  code: string,
  at: Date,
): Promise<void> {
  const store = state.as(systemScope)
  const row = await store
    .selectFrom('twoFactor')
    .select('secret')
    .where('userId', '=', userId)
    .where('verified', '=', true)
    .executeTakeFirst()
  if (!row) return
  const step = matchingStep(
    await symmetricDecrypt({ key: ctx.context.secretConfig, data: row.secret }),
    code,
    at,
  )
  if (step === null) return
  const claimed = await store
    .updateTable('twoFactor')
    .set({ lastTotpStep: step })
    .where('userId', '=', userId)
    .where(({ eb, or }) => or([eb('lastTotpStep', 'is', null), eb('lastTotpStep', '<', step)]))
    .executeTakeFirst()
  if (!claimed.numUpdatedRows) throw authError('INVALID_CODE')
}
