import type { Role } from '#contract/users.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State, Store } from '#server/stores/state.ts'
import { administer } from './administer.ts'
import { findManagedUser } from './find-managed-users.ts'
import { listRoles, readRole } from './roles.ts'

interface UserRoles {
  user_id: string
  roles: Role[]
}

/** Finds the roles of a user whom the viewer can see. */
export async function getUserRoles(state: State, viewer: Viewer, userId: string): Promise<UserRoles> {
  await findManagedUser(state, viewer, userId)
  const rows = await state
    .as(viewer.scope)
    .selectFrom('user_role')
    .innerJoin('role', 'role.role_id', 'user_role.role_id')
    .select(['role.role_id', 'role.name', 'role.permission_keys'])
    .where('user_role.user_id', '=', userId)
    .orderBy('role.name')
    .execute()
  return { user_id: userId, roles: rows.map(readRole) }
}

/** Throws the Problem `validation_error` if the organization does not have one of the roles. */
export async function checkRoles(store: Store, roleIds: readonly string[]): Promise<void> {
  const knownIds = (await listRoles(store)).map(({ id }) => id)
  const unknownId = roleIds.find((id) => !knownIds.includes(id))
  if (unknownId) throw new Problem('validation_error', `role_ids: There is no role '${unknownId}'.`)
}

/** Replaces the roles of a user. Must be called within `administer`. */
export async function setRoles(
  store: Store,
  organizationId: string,
  userId: string,
  roleIds: readonly string[],
): Promise<void> {
  const uniqueIds = [...new Set(roleIds)]
  await store.deleteFrom('user_role').where('user_id', '=', userId).execute()
  if (uniqueIds.length)
    await store
      .insertInto('user_role')
      .values(uniqueIds.map((role_id) => ({ user_id: userId, role_id, organization_id: organizationId })))
      .execute()
}

/** Replaces the roles of a user whom the viewer administers. */
export async function changeUserRoles(
  state: State,
  viewer: Viewer,
  userId: string,
  roleIds: readonly string[],
): Promise<UserRoles> {
  await findManagedUser(state, viewer, userId)
  await checkRoles(state.as(viewer.scope), roleIds)
  await administer(state, viewer, [userId], (store) =>
    setRoles(store, viewer.organizationId, userId, roleIds),
  )
  return getUserRoles(state, viewer, userId)
}
