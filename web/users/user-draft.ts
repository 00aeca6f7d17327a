import { permissionKeys, type PermissionKey } from '#contract/permission.ts'
import type { ManagedUser } from '#contract/users.ts'

/** State of the user form. */
export interface UserDraft {
  name: string
  roleIds: string[]
  keys: PermissionKey[]
  regionIds: string[] | null
  /** Slugs of the only operators with data that the user sees; null for all. */
  operators: string[] | null
}

/** One of the requests that save a user; `part` selects the endpoint. */
export type UserChange =
  | { part: 'user'; body: { name?: string; region_ids?: string[] | null; operators?: string[] | null } }
  | { part: 'roles'; body: { role_ids: string[] } }
  | { part: 'keys'; body: { permissions: { key: PermissionKey; enabled: boolean }[] } }

export const emptyUserDraft: UserDraft = { name: '', roleIds: [], keys: [], regionIds: null, operators: null }

/** Returns the editable fields of a user. */
export const toUserDraft = ({ name, roles, keys, regionIds, operators }: ManagedUser): UserDraft => ({
  name,
  roleIds: roles.map(({ id }) => id),
  keys: [...keys],
  regionIds,
  operators,
})

/** Returns the draft without roles and permissions if the user belongs to operators: the server would reject them. */
export const dropOperatorRoles = (draft: UserDraft): UserDraft =>
  draft.operators ? { ...draft, roleIds: [], keys: [] } : draft

const isSameSet = (a: readonly string[] | null, b: readonly string[] | null): boolean =>
  a === null || b === null ? a === b : a.length === b.length && a.every((item) => b.includes(item))

/**
 * Returns the requests that save the changes, in the order in which they must be sent. Grants come before
 * removals, so that administrators who move their own rights from permissions to a role stay administrators
 * in between. Roles and permissions are removed before a user gets operators, and added only after the
 * operators are removed.
 */
export function getUserChanges(user: ManagedUser, editedDraft: UserDraft): UserChange[] {
  const stored = toUserDraft(user)
  const draft = dropOperatorRoles(editedDraft)
  const name = draft.name.trim()
  const body = {
    ...(name === stored.name ? {} : { name }),
    ...(isSameSet(draft.regionIds, stored.regionIds) ? {} : { region_ids: draft.regionIds }),
    ...(isSameSet(draft.operators, stored.operators) ? {} : { operators: draft.operators }),
  }
  const permissions = permissionKeys
    .filter((key) => draft.keys.includes(key) !== stored.keys.includes(key))
    .map((key) => ({ key, enabled: draft.keys.includes(key) }))
  const roles: UserChange[] = isSameSet(draft.roleIds, stored.roleIds)
    ? []
    : [{ part: 'roles', body: { role_ids: draft.roleIds } }]
  const keys: UserChange[] = permissions.length ? [{ part: 'keys', body: { permissions } }] : []
  const fields: UserChange[] = Object.keys(body).length ? [{ part: 'user', body }] : []
  const grants = permissions.some(({ enabled }) => enabled) ? [...keys, ...roles] : [...roles, ...keys]
  return draft.operators ? [...grants, ...fields] : [...fields, ...grants]
}
