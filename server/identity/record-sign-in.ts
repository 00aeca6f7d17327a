import type { State } from '#server/stores/state.ts'
import { auditCredential, type CredentialEvent } from './audit-credential.ts'
import { systemScope } from './scope.ts'

/** A user has signed in, with every factor that was asked for: keeps when, and writes it to the audit log. */
export async function recordSignIn(
  state: State,
  userId: string,
  act: Omit<CredentialEvent, 'action'>,
): Promise<void> {
  await state
    .as(systemScope)
    .updateTable('user')
    .set({ lastSignInTime: act.at })
    .where('id', '=', userId)
    .execute()
  await auditCredential(state, userId, { ...act, action: 'sign-in' })
}
