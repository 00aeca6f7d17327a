import { type PermissionKey, permissionKeys } from '#contract/permission.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State } from '#server/stores/state.ts'
import type { Auth } from './auth.ts'
import { systemScope, viewerScope } from './scope.ts'

/** The viewer behind a cookie or bearer token: user, keys, and the Scope of the organization's regions. */
export async function findViewer(auth: Auth, state: State, headers: Headers): Promise<Viewer | null> {
  const session = await auth.api.getSession({ headers }).catch(() => null)
  if (!session || session.user.disabled) return null
  const { id: userId, email, organizationId } = session.user
  const regions = await state.as(systemScope).selectFrom('region').select('region_id').where('organization_id', '=', organizationId).execute()
  const keys = (session.user.permissionKeys ?? '').split(' ')
  const permissions: PermissionKey[] = permissionKeys.filter((key) => keys.includes(key))
  return { userId, email, organizationId, permissions, scope: viewerScope(organizationId, regions.map(({ region_id }) => region_id), userId) }
}
