import type { Role } from '#contract/users.ts'
import { permissionKeys } from '#contract/permission.ts'
import { parsePermissionKeys } from '#server/identity/permission-keys.ts'

/** Converts a stored role to the form of the API. */
export const readRole = (row: { role_id: string; name: string; permission_keys: string }): Role => ({
  id: row.role_id,
  name: row.name,
  permissions: grantsOf(row.permission_keys),
})

/** Every permission key, and whether stored keys include it. */
export const grantsOf = (text: string) =>
  permissionKeys.map((key) => ({ key, enabled: parsePermissionKeys(text).includes(key) }))
