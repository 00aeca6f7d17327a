import { type PermissionKey, permissionKeys } from '#contract/permission.ts'
import { Problem } from '#server/http/problem.ts'
import { requireAllRegions, type Viewer } from '#server/http/viewer.ts'
import { parsePermissionKeys, formatPermissionKeys } from '#server/identity/permission-keys.ts'
import type { State, Store } from '#server/stores/state.ts'
import { administer, isAdministeredBy } from './administer.ts'
import { toGrants } from './roles.ts'
import { findRegionViewers, setRegionViewers } from './region-viewers.ts'

interface PermissionObject {
  obj_type: 'user' | 'role' | 'region'
  obj_id: string
}

interface PermissionRow {
  key: string
  enabled: boolean
  user_id?: string | undefined
  user_email?: string | undefined
}

/** Returns all permissions of a user or role, or for a region the users and whether they may see it. */
export async function getPermissionsOn(
  state: State,
  viewer: Viewer,
  object: PermissionObject,
): Promise<PermissionObject & { permissions: PermissionRow[] }> {
  if (object.obj_type === 'region')
    return { ...object, permissions: await findRegionViewers(state, viewer, object.obj_id) }
  return { ...object, permissions: toGrants(await findKeys(state.as(viewer.scope), viewer, object)) }
}

/** Changes some permissions and returns all of them. */
export async function changePermissionsOn(
  state: State,
  viewer: Viewer,
  object: PermissionObject,
  rows: readonly PermissionRow[],
): Promise<PermissionObject & { permissions: PermissionRow[] }> {
  if (object.obj_type === 'region') await setRegionViewers(state, viewer, object.obj_id, rows)
  else await changeKeys(state, viewer, object, rows)
  return getPermissionsOn(state, viewer, object)
}

/** Finds the stored permission keys of a user or role. @throws Problem `not_found`. */
async function findKeys(
  store: Store,
  viewer: Viewer,
  { obj_type, obj_id }: PermissionObject,
): Promise<string> {
  const row =
    obj_type === 'user'
      ? await store
          .selectFrom('user')
          .select('permissionKeys as keys')
          .where('id', '=', obj_id)
          .where(isAdministeredBy(viewer))
          .executeTakeFirst()
      : await store
          .selectFrom('role')
          .select('permission_keys as keys')
          .where((is) => is(is.cast<string>('role_id', 'text'), '=', obj_id))
          .executeTakeFirst()
  if (!row) throw new Problem('not_found', `There is no such ${obj_type}.`)
  return row.keys
}

/** Adds and removes permission keys of a user or role. */
async function changeKeys(
  state: State,
  viewer: Viewer,
  object: PermissionObject,
  rows: readonly PermissionRow[],
): Promise<void> {
  const unknownRow = rows.find(({ key }) => !permissionKeys.includes(key as PermissionKey))
  if (unknownRow)
    throw new Problem('validation_error', `permissions: There is no permission '${unknownRow.key}'.`)
  const isRole = object.obj_type === 'role'
  if (isRole) requireAllRegions(viewer)
  await administer(state, viewer, isRole ? [] : [object.obj_id], async (store) => {
    const keys = new Set<string>(parsePermissionKeys(await findKeys(store, viewer, object)))
    for (const { key, enabled } of rows) {
      if (enabled) keys.add(key)
      else keys.delete(key)
    }
    const keysText = formatPermissionKeys([...keys] as PermissionKey[])
    if (!isRole)
      await store
        .updateTable('user')
        .set({ permissionKeys: keysText })
        .where('id', '=', object.obj_id)
        .execute()
    else
      await store
        .updateTable('role')
        .set({ permission_keys: keysText })
        .where((is) => is(is.cast<string>('role_id', 'text'), '=', object.obj_id))
        .execute()
  })
}
