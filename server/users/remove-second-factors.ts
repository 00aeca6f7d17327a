import type { ManagedUser } from '#contract/users.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import { requireAdministered } from './administer.ts'
import { findManagedUser } from './find-managed-users.ts'

/** Removes all second factors and recovery codes of a user, who may have lost the device, and ends the sessions. */
export async function removeSecondFactors(
  state: State,
  viewer: Viewer,
  userId: string,
): Promise<ManagedUser> {
  await findManagedUser(state, viewer, userId)
  await requireAdministered(state, viewer, userId)
  await state
    .as(systemScope)
    .transaction()
    .execute(async (store) => {
      await store.deleteFrom('enrolled_factor').where('user_id', '=', userId).execute()
      await store.deleteFrom('twoFactor').where('userId', '=', userId).execute()
      await store.updateTable('user').set({ twoFactorEnabled: false }).where('id', '=', userId).execute()
      await store.deleteFrom('session').where('userId', '=', userId).execute()
    })
  return findManagedUser(state, viewer, userId)
}
