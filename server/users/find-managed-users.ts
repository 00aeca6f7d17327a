import type { ManagedUser } from '#contract/users.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { parsePermissionKeys } from '#server/identity/permission-keys.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import { isAdministeredBy } from './administer.ts'

/** Users by id, ordered by e-mail, without those that the viewer cannot see. */
export async function findManagedUsers(
  state: State,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ManagedUser[]> {
  if (!ids.length) return []
  const store = state.as(viewer.scope)
  const users = await store
    .selectFrom('user')
    .select([
      'id',
      'email',
      'name',
      'disabled',
      'invited',
      'permissionKeys',
      'allRegions',
      'operators',
      'lastSignInTime',
    ])
    .where('id', 'in', ids)
    .where(isAdministeredBy(viewer))
    .orderBy('email')
    .execute()
  const roles = await store
    .selectFrom('user_role')
    .innerJoin('role', 'role.role_id', 'user_role.role_id')
    .select(['user_role.user_id', 'role.role_id', 'role.name'])
    .where('user_role.user_id', 'in', ids)
    .orderBy('role.name')
    .execute()
  const regions = await store
    .selectFrom('user_region')
    .select(['user_id', 'region_id'])
    .where('user_id', 'in', ids)
    .orderBy('region_id')
    .execute()
  // Only for users that were found within the Scope above.
  const factors = await state
    .as(systemScope)
    .selectFrom('enrolled_factor')
    .select('user_id')
    .where('user_id', 'in', users.map(({ id }) => id).concat(''))
    .execute()
  return users.map((user) => ({
    id: user.id,
    email: user.email,
    name: user.name,
    disabled: user.disabled,
    invited: user.invited,
    roles: roles
      .filter((role) => role.user_id === user.id)
      .map((role) => ({ id: role.role_id, name: role.name })),
    keys: parsePermissionKeys(user.permissionKeys),
    regionIds: user.allRegions
      ? null
      : regions.filter((region) => region.user_id === user.id).map(({ region_id }) => region_id),
    operators: user.operators,
    secondFactors: factors.filter((factor) => factor.user_id === user.id).length,
    lastSignInTime: user.lastSignInTime?.toISOString() ?? null,
  }))
}

/** One user that the viewer can see; throws 404 for others. */
export async function findManagedUser(state: State, viewer: Viewer, id: string): Promise<ManagedUser> {
  const [found] = await findManagedUsers(state, viewer, [id])
  if (!found) throw new Problem('not_found', 'There is no such user.')
  return found
}
