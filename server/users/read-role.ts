import type { Role } from '#contract/users.ts'
import { permissionKeys } from '#contract/permission.ts'
import { parsePermissionKeys } from '#server/identity/permission-keys.ts'

/** A stored role in the contract's form: every key, and whether it is held. */
export const readRole = (row: { role_id: string; name: string; permission_keys: string }): Role => ({
  id: row.role_id,
  name: row.name,
  permissions: grantsOf(row.permission_keys),
})

/** Every key, and whether a stored text holds it. */
export const grantsOf = (text: string) =>
  permissionKeys.map((key) => ({ key, enabled: parsePermissionKeys(text).includes(key) }))
