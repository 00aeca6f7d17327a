import { type PermissionKey, permissionKeys } from '#contract/permission.ts'
import { formatPermissionKeys } from './permission-keys.ts'
import type { Store } from '#server/stores/state.ts'

/** The roles of a new organization (see `createOrganization`), which may change and delete them. */
export const standardRoles = {
  administrator: { name: 'Administrator', keys: permissionKeys },
  planner: { name: 'Planner', keys: ['edit_geography', 'edit_policy', 'edit_curb_regulations'] },
  viewer: { name: 'Viewer', keys: [] },
} as const satisfies Record<string, { name: string; keys: readonly PermissionKey[] }>
export type StandardRole = keyof typeof standardRoles

/** Creates the organization of a city with the standard roles. */
export async function createOrganization(store: Store, organizationId: string, name: string): Promise<void> {
  await store
    .insertInto('organization')
    .values({ organization_id: organizationId, name, type: 'city' })
    .execute()
  await store
    .insertInto('role')
    .values(
      Object.values(standardRoles).map((role) => ({
        organization_id: organizationId,
        name: role.name,
        permission_keys: formatPermissionKeys(role.keys),
      })),
    )
    .execute()
}

/** Gives a user a standard role of the organization, if the organization still has it. */
export async function giveStandardRole(
  store: Store,
  organizationId: string,
  userId: string,
  role: StandardRole,
): Promise<void> {
  await store
    .insertInto('user_role')
    .columns(['user_id', 'role_id', 'organization_id'])
    .expression(
      store
        .selectFrom('role')
        .select((select) => [select.val(userId).as('user_id'), 'role_id', 'organization_id'])
        .where('organization_id', '=', organizationId)
        .where('name', '=', standardRoles[role].name),
    )
    .execute()
}
