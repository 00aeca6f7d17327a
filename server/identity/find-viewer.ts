import { type PermissionKey, permissionKeys } from '#contract/permission.ts'
import { OrganizationSettings } from '#contract/settings.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State } from '#server/stores/state.ts'
import type { Auth } from './auth.ts'
import { parsePermissionKeys } from './permission-keys'
import { systemScope, viewerScope } from './scope.ts'

/** Whether this server must ask the user for a second factor where the organization requires one: who has no password comes by single sign-on, whose provider asks. */
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

/** The name of the header by which an admin acts as another user (1-product, section 7). */
export const impersonationHeader = 'impersonated-user'

/** A session whose user is disabled or gone: the browser signs out (specification 1, section 8). */
const invalidUser = 'Invalid user'

/**
 * The viewer behind a cookie or bearer token: user, keys, and the Scope of the user's regions. With the header
 * `impersonated-user`, the user that an admin looks on as, with no permission that the admin lacks. An admin of some
 * regions can act only as users whose rights are within the own ones (403).
 */
export async function findViewer(auth: Auth, state: State, headers: Headers): Promise<Viewer | null> {
  const session = await auth.api.getSession({ headers }).catch(() => null)
  if (!session) return null
  const self = await loadViewer(state, session.user.id, session.session.id)
  if (!self) throw new Problem('forbidden', invalidUser)
  const impersonatedUserId = headers.get(impersonationHeader)
  if (!impersonatedUserId || impersonatedUserId === self.userId) return self
  // Who may not, is told nothing of whether the other user exists.
  if (!self.permissions.includes('is_admin') || self.mfaEnrollmentRequired)
    throw new Problem('forbidden', 'Only administrators may look on as another user.')
  const other = await loadViewer(state, impersonatedUserId, self.sessionId)
  if (!other || other.organizationId !== self.organizationId)
    throw new Problem('forbidden', 'There is no such user in your organization.')
  const hasMoreRights =
    other.allRegions ||
    other.permissions.some((key) => !self.permissions.includes(key)) ||
    other.scope.regionIds?.some((id) => !self.scope.regionIds?.includes(id))
  if (!self.allRegions && hasMoreRights)
    throw new Problem(
      'forbidden',
      'You can act only as users who have no other regions and permissions than you.',
    )
  const permissions = other.permissions.filter((key) => self.permissions.includes(key))
  return {
    ...other,
    permissions,
    mfaEnrollmentRequired: false,
    admin: { userId: self.userId, email: self.email },
  }
}

/** A user who may be here at all, with keys and Scope; null for one that is disabled or gone. Who sees some operators only, has no keys, whatever is stored. */
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
