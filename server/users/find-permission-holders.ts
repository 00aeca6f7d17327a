import type { PermissionKey } from '#contract/permission.ts'
import { type Colleagues, maxColleagues } from '#contract/users.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { parsePermissionKeys } from '#server/identity/permission-keys.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { State } from '#server/stores/state.ts'

/** Lists the colleagues in a region with a permission, so that users know whom to ask; none for operators. */
export async function listPermissionHolders(
  state: State,
  viewer: Viewer,
  regionId: string,
  key: PermissionKey,
): Promise<Colleagues> {
  await findRegion(state, viewer.scope, regionId)
  if (viewer.scope.operators) return { items: [], total: 0 }
  const store = state.as(viewer.scope)
  const users = await store
    .selectFrom('user')
    .select(['id', 'name', 'email', 'permissionKeys', 'allRegions'])
    .where('disabled', '=', false)
    .where('invited', '=', false)
    .where('operators', 'is', null)
    .orderBy('name')
    .orderBy('email')
    .execute()
  const roles = await store
    .selectFrom('user_role')
    .innerJoin('role', 'role.role_id', 'user_role.role_id')
    .select(['user_role.user_id', 'role.permission_keys'])
    .execute()
  const regions = await store
    .selectFrom('user_region')
    .select('user_id')
    .where('region_id', '=', regionId)
    .execute()
  const hasKey = (text: string): boolean => parsePermissionKeys(text).includes(key)
  const holdersByRole = new Set(
    roles.filter((role) => hasKey(role.permission_keys)).map((role) => role.user_id),
  )
  const usersOfRegion = new Set(regions.map(({ user_id }) => user_id))
  const holders = users
    .filter(({ id, permissionKeys }) => holdersByRole.has(id) || hasKey(permissionKeys))
    .filter(({ id, allRegions }) => allRegions || usersOfRegion.has(id))
    .map(({ name, email }) => ({ name: name || email, email }))
  return { items: holders.slice(0, maxColleagues), total: holders.length }
}
