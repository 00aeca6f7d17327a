import type { State } from '#server/stores/state.ts'
import { systemScope } from './scope.ts'
import { writeAudit } from './write-audit.ts'

/** Something that was done to, or with, somebody's credentials. */
export interface CredentialEvent {
  action: string
  /** Below /api/auth. */
  path: string
  status?: number
  address: string | null
  at: Date
}

/** Writes it to the audit log under the user's name; of a user who is gone nothing is written. */
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
