import { permissionKeys, type PermissionKey } from '#contract/permission.ts'
import type { ManagedUser } from '#contract/users.ts'

/** A user as the form holds one. */
export interface UserDraft {
  name: string
  roleIds: string[]
  keys: PermissionKey[]
  regionIds: string[] | null
  /** Whose numbers only; null: everything. */
  operators: string[] | null
}

/** One call of those that a changed user needs. */
export type UserPart =
  | { part: 'user'; body: { name?: string; region_ids?: string[] | null; operators?: string[] | null } }
  | { part: 'roles'; body: { role_ids: string[] } }
  | { part: 'keys'; body: { permissions: { key: PermissionKey; enabled: boolean }[] } }

export const emptyUserDraft: UserDraft = { name: '', roleIds: [], keys: [], regionIds: null, operators: null }

export const userDraftOf = ({ name, roles, keys, regionIds, operators }: ManagedUser): UserDraft => ({
  name,
  roleIds: roles.map(({ id }) => id),
  keys: [...keys],
  regionIds,
  operators,
})

/** A draft as it may be saved: the sign-in of an operator has neither roles nor permissions. */
export const settledDraft = (draft: UserDraft): UserDraft =>
  draft.operators ? { ...draft, roleIds: [], keys: [] } : draft

const sameSet = (a: readonly string[] | null, b: readonly string[] | null): boolean =>
  a === null || b === null ? a === b : a.length === b.length && a.every((each) => b.includes(each))

/**
 * The calls that make a user what the draft says; none where nothing changed. Who changes oneself from own permissions to a role stays an
 * administrator between the calls: what gives comes before what takes. Roles and permissions go before operators come, and the other way round.
 */
export function partsOf(user: ManagedUser, wanted: UserDraft): UserPart[] {
  const before = userDraftOf(user)
  const draft = settledDraft(wanted)
  const name = draft.name.trim()
  const body = {
    ...(name === before.name ? {} : { name }),
    ...(sameSet(draft.regionIds, before.regionIds) ? {} : { region_ids: draft.regionIds }),
    ...(sameSet(draft.operators, before.operators) ? {} : { operators: draft.operators }),
  }
  const permissions = permissionKeys
    .filter((key) => draft.keys.includes(key) !== before.keys.includes(key))
    .map((key) => ({ key, enabled: draft.keys.includes(key) }))

  const roles: UserPart[] = sameSet(draft.roleIds, before.roleIds)
    ? []
    : [{ part: 'roles', body: { role_ids: draft.roleIds } }]
  const keys: UserPart[] = permissions.length ? [{ part: 'keys', body: { permissions } }] : []
  const fields: UserPart[] = Object.keys(body).length ? [{ part: 'user', body }] : []
  const rights = permissions.some(({ enabled }) => enabled) ? [...keys, ...roles] : [...roles, ...keys]
  return draft.operators ? [...rights, ...fields] : [...fields, ...rights]
}
