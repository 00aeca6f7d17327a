import type { ExpressionBuilder } from 'kysely'
import type { PermissionKey } from '#contract/permission.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { parsePermissionKeys } from '#server/identity/permission-keys.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'

/** What a user may do and see. */
interface Rights {
  keys: readonly PermissionKey[]
  /** Null for all regions of the organization, including future ones. */
  regionIds: readonly string[] | null
  /** Null for all operators. */
  operators: readonly string[] | null
}

/** Finds the rights of a user, including those of roles; null if there is no such user. */
async function findRights(store: Store, userId: string): Promise<Rights | null> {
  const user = await store
    .selectFrom('user')
    .select(['permissionKeys', 'allRegions', 'operators'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user) return null
  const roles = await store
    .selectFrom('user_role')
    .innerJoin('role', 'role.role_id', 'user_role.role_id')
    .select('role.permission_keys')
    .where('user_role.user_id', '=', userId)
    .execute()
  const regions = await store
    .selectFrom('user_region')
    .select('region_id')
    .where('user_id', '=', userId)
    .execute()
  return {
    keys: [user.permissionKeys, ...roles.map((role) => role.permission_keys)].flatMap(parsePermissionKeys),
    regionIds: user.allRegions ? null : regions.map(({ region_id }) => region_id),
    operators: user.operators,
  }
}

/** Returns whether all entries of a list are in a limit; null means everything. */
const isWithin = (list: readonly string[] | null, limit: readonly string[] | null): boolean =>
  limit === null || (list !== null && list.every((entry) => limit.includes(entry)))

/** Returns whether rights do not exceed a limit. */
const covers = (limit: Rights, rights: Rights): boolean =>
  isWithin(rights.keys, limit.keys) &&
  isWithin(rights.regionIds, limit.regionIds) &&
  isWithin(rights.operators, limit.operators)

/**
 * Returns a condition on the table `user` for the users that an administrator can see. Administrators of some
 * regions see only users who are limited to these regions.
 */
export const isAdministeredBy = (viewer: Viewer) => (is: ExpressionBuilder<StateTables, 'user'>) => {
  if (viewer.allRegions) return is.lit(true)
  const otherRegions = is
    .selectFrom('user_region')
    .select('user_region.region_id')
    .whereRef('user_region.user_id', '=', 'user.id')
    .where('user_region.region_id', 'not in', [...(viewer.scope.regionIds ?? []), ''])
  return is.and([is('user.allRegions', '=', false), is.not(is.exists(otherRegions))])
}

/** Throws the Problem `conflict` unless an active administrator (`isOfAllRegions`: of all regions) remains. */
async function requireAdministrator(store: Store, isOfAllRegions: boolean): Promise<void> {
  const ownKeys = await store
    .selectFrom('user')
    .select(['permissionKeys', 'allRegions'])
    .where('disabled', '=', false)
    .where('invited', '=', false)
    .execute()
  const keysByRole = await store
    .selectFrom('user_role')
    .innerJoin('role', 'role.role_id', 'user_role.role_id')
    .innerJoin('user', 'user.id', 'user_role.user_id')
    .select(['role.permission_keys as permissionKeys', 'user.allRegions'])
    .where('user.disabled', '=', false)
    .where('user.invited', '=', false)
    .execute()
  const administrators = [...ownKeys, ...keysByRole].filter((row) =>
    parsePermissionKeys(row.permissionKeys).includes('is_admin'),
  )
  if (!administrators.length)
    throw new Problem('conflict', 'This would leave your organization without an administrator.')
  if (isOfAllRegions && !administrators.some((row) => row.allRegions))
    throw new Problem(
      'conflict',
      'This would leave your organization without an administrator of all regions.',
    )
}

/** Throws the Problem `conflict` if a user limited to operators has a permission, directly or by a role. */
async function refuseOperatorPermissions(store: Store): Promise<void> {
  const ownKeys = await store
    .selectFrom('user')
    .select(['email', 'permissionKeys'])
    .where('operators', 'is not', null)
    .execute()
  const keysByRole = await store
    .selectFrom('user_role')
    .innerJoin('role', 'role.role_id', 'user_role.role_id')
    .innerJoin('user', 'user.id', 'user_role.user_id')
    .select(['user.email', 'role.permission_keys as permissionKeys'])
    .where('user.operators', 'is not', null)
    .execute()
  const violatingUser = [...ownKeys, ...keysByRole].find(
    (row) => parsePermissionKeys(row.permissionKeys).length > 0,
  )
  if (violatingUser)
    throw new Problem(
      'conflict',
      `${violatingUser.email} is the sign-in of an operator: it looks on, and can hold no permission, neither its own nor by a role.`,
    )
}

/**
 * Runs a change of users or roles in a transaction of the viewer's Scope, and rolls it back if it violates a
 * rule:
 * - Administrators of some regions can only change users with no rights beyond their own (404 for a region,
 * 403 for a permission), and cannot grant rights beyond their own (403).
 * - Nobody can extend their own rights (403), not even by impersonation.
 * - At least one administrator must remain, of all regions if the viewer is one (409).
 * - Users who are limited to operators cannot have permissions (409).
 */
export async function administer<Result>(
  state: State,
  viewer: Viewer,
  userIds: readonly string[],
  change: (store: Store) => Promise<Result>,
): Promise<Result> {
  return state
    .as(viewer.scope)
    .transaction()
    .execute(async (store) => {
      // Serializes changes: two administrators cannot both revoke the other's permission.
      await store.selectFrom('organization').select('organization_id').forUpdate().execute()
      const actors: { id: string; rightsBefore: Rights }[] = []
      for (const id of [viewer.userId, ...(viewer.admin ? [viewer.admin.userId] : [])]) {
        const rightsBefore = await findRights(store, id)
        if (!rightsBefore) throw new Problem('forbidden', 'This user no longer exists.')
        actors.push({ id, rightsBefore })
      }
      // Administrators of all regions have no limits.
      const areOfAllRegions = actors.every(({ rightsBefore }) => rightsBefore.regionIds === null)
      const limits = areOfAllRegions ? [] : actors.map(({ rightsBefore }) => rightsBefore)
      for (const userId of userIds) {
        const rights = await findRights(store, userId)
        if (rights && limits.some((limit) => !isWithin(rights.regionIds, limit.regionIds)))
          throw new Problem('not_found', 'There is no such user.')
        if (rights && limits.some((limit) => !covers(limit, rights)))
          throw new Problem('forbidden', 'This user has permissions that you do not have.')
      }
      const result = await change(store)
      for (const { id, rightsBefore } of actors) {
        const rightsAfter = await findRights(store, id)
        if (rightsAfter && !covers(rightsBefore, rightsAfter))
          throw new Problem('forbidden', 'Nobody can extend their own rights. Ask another administrator.')
      }
      for (const userId of userIds) {
        const rights = await findRights(store, userId)
        if (rights && limits.some((limit) => !covers(limit, rights)))
          throw new Problem('forbidden', 'You can grant only permissions and regions that you have yourself.')
      }
      await requireAdministrator(store, areOfAllRegions)
      await refuseOperatorPermissions(store)
      return result
    })
}

/** Throws unless the viewer may change a user. For changes that cannot run within `administer`. */
export const requireAdministered = (state: State, viewer: Viewer, userId: string): Promise<void> =>
  administer(state, viewer, [userId], () => Promise.resolve())
