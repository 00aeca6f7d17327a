import type { Kysely } from 'kysely'
import { Problem } from '#server/http/problem.ts'
import { keysOf } from '#server/identity/keys-of.ts'
import type { StateTables } from '#server/stores/state-tables.ts'

/** Throws where a change would leave the organization of the Scope without anybody who may administrate, and has ever come; to be called at the end of its transaction. */
export async function keepAnAdministrator(store: Kysely<StateTables>): Promise<void> {
  // Two administrators who take each other's key away at the same moment: the second one waits here, and then sees what the first has done.
  await store.selectFrom('organization').select('organization_id').forUpdate().execute()
  const own = await store.selectFrom('user').select('permissionKeys').where('disabled', '=', false).where('invited', '=', false).execute()
  const byRole = await store
    .selectFrom('user_role')
    .innerJoin('role', 'role.role_id', 'user_role.role_id')
    .innerJoin('user', 'user.id', 'user_role.user_id')
    .select('role.permission_keys as permissionKeys')
    .where('user.disabled', '=', false)
    .where('user.invited', '=', false)
    .execute()
  if (![...own, ...byRole].some((row) => keysOf(row.permissionKeys).includes('is_admin'))) throw new Problem('conflict', 'This would leave your organization without an administrator.')
}
