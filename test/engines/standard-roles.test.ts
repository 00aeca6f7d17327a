import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createOrganization, giveStandardRole } from '#server/identity/standard-roles.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import { useStores } from './use-stores.ts'

describe('roles', () => {
  let state: State
  useStores((_, opened) => void (state = opened))

  it('a new organization has the roles administrator, planner and viewer', async () => {
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

    const id = randomUUID()
    const user = { id, email: 'planner@alder.example', name: 'Planner', emailVerified: true, image: null }
    await store
      .insertInto('user')
      .values({
        ...user,
        organizationId,
        permissionKeys: '',
        acceptedTermsOfService: true,
        updatedAt: new Date(),
      })
      .execute()
    await giveStandardRole(store, organizationId, id, 'planner')
    const granted = await store
      .selectFrom('user_role')
      .innerJoin('role', 'role.role_id', 'user_role.role_id')
      .select(['role.name', 'role.organization_id'])
      .where('user_id', '=', id)
      .execute()
    expect(granted).toEqual([{ name: 'Planner', organization_id: organizationId }])
  })
})
