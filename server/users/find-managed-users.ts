import type { z } from 'zod'
import type { listUsers as contract, ManagedUser } from '#contract/users.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { parsePermissionKeys } from '#server/identity/permission-keys.ts'
import { systemScope } from '#server/identity/scope.ts'
import { toLikePattern, parseOrderBy, countTotal } from '#server/stores/list-query.ts'
import type { State } from '#server/stores/state.ts'
import { isAdministeredBy } from './administer.ts'

/** Finds the users with these ids that the viewer can see, ordered by e-mail. */
export async function findManagedUsers(
  state: State,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ManagedUser[]> {
  if (!ids.length) return []
  const store = state.as(viewer.scope)
  const users = await store
    .selectFrom('user')
    .select(['id', 'email', 'name', 'disabled', 'invited', 'permissionKeys', 'allRegions', 'operators'])
    .select('lastSignInTime')
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
  // The system's Scope is safe here, because the users were found within the viewer's Scope.
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

/** Finds a user that the viewer can see. @throws Problem `not_found` for others. */
export async function findManagedUser(state: State, viewer: Viewer, id: string): Promise<ManagedUser> {
  const [user] = await findManagedUsers(state, viewer, [id])
  if (!user) throw new Problem('not_found', 'There is no such user.')
  return user
}

type UserOrder = z.output<(typeof contract)['request']['query']>['order_by']

/** Returns a page of the users that an administrator can see, searched by e-mail or name. */
export async function listUsers(
  state: State,
  viewer: Viewer,
  query: { page: number; size: number; order_by: UserOrder; search?: string | undefined },
): Promise<{ items: ManagedUser[]; total: number; page: number; size: number }> {
  let selection = state.as(viewer.scope).selectFrom('user').where(isAdministeredBy(viewer))
  const { search } = query
  if (search)
    selection = selection.where((is) =>
      is.or([is('email', 'ilike', toLikePattern(search)), is('name', 'ilike', toLikePattern(search))]),
    )
  const total = await countTotal(selection)
  const [key, direction] = parseOrderBy(query.order_by)
  const orderColumns = {
    email: ['email'],
    name: ['name'],
    state: ['disabled', 'invited'],
    last_sign_in: ['lastSignInTime'],
  } as const
  for (const column of orderColumns[key]) selection = selection.orderBy(column, direction)
  const rows = await selection
    .select('id')
    .orderBy('email')
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute()
  const ids = rows.map(({ id }) => id)
  const users = await findManagedUsers(state, viewer, ids)
  const usersById = new Map(users.map((user) => [user.id, user]))
  const items = ids.flatMap((id) => usersById.get(id) ?? [])
  return { items, total, page: query.page, size: query.size }
}
