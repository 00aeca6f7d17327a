import type { Kysely } from 'kysely'
import { Problem } from '#server/http/problem.ts'
import { keysOf } from '#server/identity/keys-of.ts'
import type { StateTables } from '#server/stores/state-tables.ts'

/** Throws where a change would leave somebody of the Scope's organization with both operators and a permission key, own or by a role; to be called at the end of its transaction, after `keepAnAdministrator`, which makes others wait. */
export async function keepOperatorsKeyless(store: Kysely<StateTables>): Promise<void> {
  const own = await store.selectFrom('user').select(['email', 'permissionKeys']).where('operators', 'is not', null).execute()
  const byRole = await store
    .selectFrom('user_role')
    .innerJoin('role', 'role.role_id', 'user_role.role_id')
    .innerJoin('user', 'user.id', 'user_role.user_id')
    .select(['user.email', 'role.permission_keys as permissionKeys'])
    .where('user.operators', 'is not', null)
    .execute()
  const held = [...own, ...byRole].find((row) => keysOf(row.permissionKeys).length > 0)
  if (held) throw new Problem('conflict', `${held.email} is the sign-in of an operator: it looks on, and can hold no permission, neither its own nor by a role.`)
}
