import { type PermissionKey, permissionKeys } from '#contract/permission.ts'
import { OrganizationSettings } from '#contract/settings.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State } from '#server/stores/state.ts'
import type { Auth } from './auth.ts'
import { parsePermissionKeys } from './permission-keys.ts'
import { systemScope, viewerScope } from './scope.ts'

/** Returns whether a user has a password. For others, the sign-in provider requires the second factor. */
async function hasPassword(state: State, userId: string): Promise<boolean> {
  const password = await state
    .as(systemScope)
    .selectFrom('account')
    .select('id')
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .executeTakeFirst()
  return password !== undefined
}

/** Header with the id of the user that an administrator impersonates. */
export const impersonationHeader = 'impersonated-user'
/** Message for a session of a disabled or deleted user, at which the web app signs out. */
const invalidUser = 'Invalid user'

/**
 * Finds the viewer of a cookie or bearer token, with permissions and Scope; null without a valid session.
 * With the header `impersonated-user`, returns that user, with only those permissions that the administrator
 * has too. Administrators of some regions can only impersonate users who have no other regions and
 * permissions than they do.
 * @throws Problem `forbidden`.
 */
export async function findViewer(auth: Auth, state: State, headers: Headers): Promise<Viewer | null> {
  const session = await auth.api.getSession({ headers }).catch(async () => {
    // The library hides the cause. An unreachable store throws here and does not sign the user out.
    await state.execute('select 1')
    return null
  })
  if (!session) return null
  const viewer = await loadViewer(state, session.user.id, session.session.id)
  if (!viewer) throw new Problem('forbidden', invalidUser)
  const impersonatedUserId = headers.get(impersonationHeader)
  if (!impersonatedUserId || impersonatedUserId === viewer.userId) return viewer
  // Checked first, so that others do not learn whether the impersonated user exists.
  if (!viewer.permissions.includes('is_admin') || viewer.mfaEnrollmentRequired)
    throw new Problem('forbidden', 'Only administrators may view the app as another user.')
  const impersonatedUser = await loadViewer(state, impersonatedUserId, viewer.sessionId)
  if (!impersonatedUser || impersonatedUser.organizationId !== viewer.organizationId)
    throw new Problem('forbidden', 'There is no such user in your organization.')
  const hasMoreRights =
    impersonatedUser.allRegions ||
    impersonatedUser.permissions.some((key) => !viewer.permissions.includes(key)) ||
    impersonatedUser.scope.regionIds?.some((id) => !viewer.scope.regionIds?.includes(id))
  if (!viewer.allRegions && hasMoreRights)
    throw new Problem(
      'forbidden',
      'You can act only as users who have no other regions and permissions than you.',
    )
  const permissions = impersonatedUser.permissions.filter((key) => viewer.permissions.includes(key))
  return {
    ...impersonatedUser,
    permissions,
    mfaEnrollmentRequired: false,
    admin: { userId: viewer.userId, email: viewer.email },
  }
}

/**
 * Loads a user as a viewer with permissions and Scope; null if the user is disabled or deleted. Users who are
 * limited to operators have no permissions, even if some are stored.
 */
export async function loadViewer(state: State, userId: string, sessionId: string): Promise<Viewer | null> {
  const store = state.as(systemScope)
  const user = await store
    .selectFrom('user')
    .innerJoin('organization', 'organization.organization_id', 'user.organizationId')
    .select([
      'user.email',
      'user.organizationId',
      'user.permissionKeys',
      'user.disabled',
      'user.allRegions',
      'user.operators',
      'user.twoFactorEnabled',
      'organization.settings',
    ])
    .where('user.id', '=', userId)
    .executeTakeFirst()
  if (!user || user.disabled) return null
  const { email, organizationId, operators } = user
  const roles = store
    .selectFrom('user_role')
    .innerJoin('role', 'role.role_id', 'user_role.role_id')
    .select('role.permission_keys')
    .where('user_role.user_id', '=', userId)
    .where('role.organization_id', '=', organizationId)
  let regions = store
    .selectFrom('region')
    .select('region.region_id')
    .where('region.organization_id', '=', organizationId)
  if (!user.allRegions)
    regions = regions
      .innerJoin('user_region', 'user_region.region_id', 'region.region_id')
      .where('user_region.user_id', '=', userId)
  const [roleRows, regionRows] = await Promise.all([roles.execute(), regions.execute()])
  const grantedKeys = new Set(
    [user.permissionKeys, ...roleRows.map((role) => role.permission_keys)].flatMap(parsePermissionKeys),
  )
  const permissions: PermissionKey[] = operators ? [] : permissionKeys.filter((key) => grantedKeys.has(key))
  const regionIds = regionRows.map(({ region_id }) => region_id)
  const { mfaRequired } = OrganizationSettings.parse(user.settings)
  const mfaEnrollmentRequired = mfaRequired && !user.twoFactorEnabled && (await hasPassword(state, userId))
  return {
    userId,
    email,
    organizationId,
    permissions,
    scope: viewerScope(organizationId, regionIds, userId, operators),
    allRegions: user.allRegions,
    mfaEnrollmentRequired,
    admin: null,
    sessionId,
  }
}
