import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import { requireAdministered } from './administer.ts'
import { findManagedUser } from './find-managed-users.ts'

/**
 * Permanently deletes the account of a disabled user, with sessions, factors, roles, subscriptions and
 * exports. The audit log, and changes of policies and invoices by the user, still contain the e-mail address.
 */
export async function deleteUser(
  state: State,
  viewer: Viewer,
  userId: string,
): Promise<{ deleted: boolean }> {
  const user = await findManagedUser(state, viewer, userId)
  await requireAdministered(state, viewer, userId)
  if (!user.disabled) throw new Problem('conflict', 'Disable this user before the account is removed.')
  const result = await state
    .as(systemScope)
    .deleteFrom('user')
    .where('id', '=', userId)
    .where('disabled', '=', true)
    .executeTakeFirst()
  return { deleted: Number(result.numDeletedRows) > 0 }
}
