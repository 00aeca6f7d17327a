import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import { requireAdministered } from './administer.ts'
import { findManagedUser } from './find-managed-users.ts'

/**
 * Removes the account of a disabled user for good, with sessions, factors, roles, subscriptions and exports. The audit log and what the user
 * changed in policies and invoices still name the e-mail address.
 */
export async function deleteUser(
  state: State,
  viewer: Viewer,
  userId: string,
): Promise<{ deleted: boolean }> {
  const user = await findManagedUser(state, viewer, userId)
  await requireAdministered(state, viewer, userId)
  if (!user.disabled) throw new Problem('conflict', 'Disable this user before the account is removed.')
  const done = await state
    .as(systemScope)
    .deleteFrom('user')
    .where('id', '=', userId)
    .where('disabled', '=', true)
    .executeTakeFirst()
  return { deleted: Number(done.numDeletedRows) > 0 }
}
