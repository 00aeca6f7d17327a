import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createOrganization, giveStandardRole } from '#server/identity/standard-roles.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import { useStores } from './use-stores.ts'

describe('standard roles', () => {
  let state: State
  useStores((_, opened) => void (state = opened))

  it('are created for a new organization, and granted to its users', async () => {
    const store = state.as(systemScope)
    const [organizationId, otherOrganizationId] = [randomUUID(), randomUUID()]
    await createOrganization(store, organizationId, 'Alder')
    await createOrganization(store, otherOrganizationId, 'Birch')
    const roles = await store
      .selectFrom('role')
      .select(['name', 'permission_keys'])
      .where('organization_id', '=', organizationId)
      .orderBy('name')
      .execute()
    expect(roles).toEqual([
      {
        name: 'Administrator',
        permission_keys:
          'is_admin edit_geography edit_policy publish_to_public_map edit_curb_regulations draft_invoices approve_invoices issue_invoices record_payments approve_curb_prices',
      },
      { name: 'Planner', permission_keys: 'edit_geography edit_policy edit_curb_regulations' },
      { name: 'Viewer', permission_keys: '' },
    ])

    const userId = randomUUID()
    await store
      .insertInto('user')
      .values({
        id: userId,
        email: 'planner@alder.example',
        name: 'Planner',
        emailVerified: true,
        image: null,
        organizationId,
        permissionKeys: '',
        acceptedTermsOfService: true,
        updatedAt: new Date(),
      })
      .execute()
    await giveStandardRole(store, organizationId, userId, 'planner')
    const grantedRoles = await store
      .selectFrom('user_role')
      .innerJoin('role', 'role.role_id', 'user_role.role_id')
      .select(['role.name', 'role.organization_id'])
      .where('user_id', '=', userId)
      .execute()
    expect(grantedRoles).toEqual([{ name: 'Planner', organization_id: organizationId }])
  })
})
