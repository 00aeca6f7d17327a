import type { ManagedUser } from '#contract/users.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { revokeCredentials, revokeLinks } from '#server/identity/revoke-credentials.ts'
import type { State } from '#server/stores/state.ts'
import { administer } from './administer.ts'
import { checkOperators, type ListOperators } from './check-operators.ts'
import { findManagedUser } from './find-managed-users.ts'
import { checkRegions, setRegions } from './set-regions.ts'

interface UserChange {
  name?: string | undefined
  disabled?: boolean | undefined
  region_ids?: string[] | null | undefined
  operators?: string[] | null | undefined
}

/** Disables or enables a user, or changes name, regions or operators. */
export async function changeUser(
  { state, listOperators }: { state: State; listOperators: ListOperators },
  viewer: Viewer,
  userId: string,
  change: UserChange,
): Promise<ManagedUser> {
  await findManagedUser(state, viewer, userId)
  const ownId = viewer.admin?.userId ?? viewer.userId
  if (change.disabled && userId === ownId) throw new Problem('conflict', 'You cannot disable yourself.')
  if (change.region_ids) await checkRegions(state, viewer, change.region_ids)
  const operators =
    change.operators === undefined ? undefined : await checkOperators(listOperators, viewer, change.operators)
  await administer(state, viewer, [userId], async (store) => {
    const fields = {
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.disabled === undefined ? {} : { disabled: change.disabled }),
      ...(operators === undefined ? {} : { operators }),
    }
    if (Object.keys(fields).length)
      await store.updateTable('user').set(fields).where('id', '=', userId).execute()
    if (change.region_ids !== undefined)
      await setRegions(store, viewer.organizationId, userId, change.region_ids)
  })
  // Sessions of a disabled user are retained without access, so that their requests get the error 'Invalid
  // user'. They end when the user is enabled again.
  if (change.disabled) await revokeLinks(state, userId)
  else if (change.disabled === false) await revokeCredentials(state, userId)
  return findManagedUser(state, viewer, userId)
}
