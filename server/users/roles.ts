import { type PermissionKey, permissionKeys } from '#contract/permission.ts'
import type { Role } from '#contract/users.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { formatPermissionKeys, parsePermissionKeys } from '#server/identity/permission-keys.ts'
import type { State, Store } from '#server/stores/state.ts'
import { administer } from './administer.ts'

/** Lists the roles of the Scope's organization, by name. */
export async function listRoles(store: Store): Promise<Role[]> {
  const roles = store.selectFrom('role').select(['role_id', 'name', 'permission_keys']).orderBy('name')
  return (await roles.execute()).map(readRole)
}

/** Creates a role. @throws Problem `conflict` if the organization already has one with this name. */
export async function createRole(
  store: Store,
  organizationId: string,
  role: { name: string; keys: PermissionKey[] },
): Promise<Role> {
  const row = await store
    .insertInto('role')
    .values({
      organization_id: organizationId,
      name: role.name,
      permission_keys: formatPermissionKeys(role.keys),
    })
    .onConflict((clash) => clash.doNothing())
    .returning(['role_id', 'name', 'permission_keys'])
    .executeTakeFirstOrThrow(() => new Problem('conflict', `There is a role '${role.name}' already.`))
  return readRole(row)
}

/** Deletes a role; its users lose its permissions. */
export async function deleteRole(
  state: State,
  viewer: Viewer,
  roleId: string,
): Promise<{ deleted: boolean }> {
  await administer(state, viewer, [], async (store) => {
    const deletedRows = await store
      .deleteFrom('role')
      .where('role_id', '=', roleId)
      .returning('role_id')
      .execute()
    if (!deletedRows.length) throw new Problem('not_found', 'There is no such role.')
  })
  return { deleted: true }
}

/** Converts a stored role to its representation in the API. */
export const readRole = (row: { role_id: string; name: string; permission_keys: string }): Role => ({
  id: row.role_id,
  name: row.name,
  permissions: toGrants(row.permission_keys),
})

/** Returns all permission keys, each with whether the stored keys include it. */
export const toGrants = (storedKeys: string) =>
  permissionKeys.map((key) => ({ key, enabled: parsePermissionKeys(storedKeys).includes(key) }))
