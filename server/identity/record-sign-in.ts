import type { State } from '#server/stores/state.ts'
import { auditCredential, type CredentialEvent } from './audit-credential.ts'
import { systemScope } from './scope.ts'

/** Stores the time of a completed sign-in and writes it to the audit log. */
export async function recordSignIn(
  state: State,
  userId: string,
  event: Omit<CredentialEvent, 'action'>,
): Promise<void> {
  await state
    .as(systemScope)
    .updateTable('user')
    .set({ lastSignInTime: event.at })
    .where('id', '=', userId)
    .execute()
  await auditCredential(state, userId, { ...event, action: 'sign-in' })
}
