import type { Organization } from '#contract/organizations.ts'
import { OrganizationSettings } from '#contract/settings.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** The organizations of the Scope. */
export async function listOrganizations(state: State, scope: Scope): Promise<Organization[]> {
  const rows = await state.as(scope).selectFrom('organization').select(['organization_id', 'name', 'type', 'settings']).orderBy('name').execute()
  return rows.map((row) => ({ id: row.organization_id, name: row.name, type: row.type as Organization['type'], settings: OrganizationSettings.parse(row.settings) }))
}

/** One organization of the Scope. */
export async function findOrganization(state: State, scope: Scope, id: string): Promise<Organization> {
  const found = (await listOrganizations(state, scope)).find((each) => each.id === id)
  if (!found) throw new Problem('not_found', 'There is no such organization.')
  return found
}
