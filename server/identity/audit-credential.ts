import type { State } from '#server/stores/state.ts'
import { systemScope } from './scope.ts'
import { writeAudit } from './write-audit.ts'

/** A use or change of a user's credentials, for the audit log. */
export interface CredentialEvent {
  action: string
  /** Path under /api/auth. */
  path: string
  status?: number
  address: string | null
  at: Date
}

/** Writes the event to the audit log under the user's name; does nothing if the user no longer exists. */
export async function auditCredential(
  state: State,
  userId: string,
  { action, path, status = 200, address, at }: CredentialEvent,
): Promise<void> {
  const user = await state
    .as(systemScope)
    .selectFrom('user')
    .select(['email', 'organizationId'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (user)
    await writeAudit(state, {
      viewer: { ...user, userId, admin: null },
      action,
      method: 'POST',
      path: `/api/auth${path}`,
      status,
      address,
      at,
    })
}

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
