import type { Organization } from '#contract/organizations.ts'
import type { Region, RegionOfOrganization } from '#contract/regions.ts'
import { OrganizationSettings } from '#contract/settings.ts'
import { Problem } from '#server/http/problem.ts'
import { cachePerStore } from '#server/stores/invalidating-cache.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'

/** Lists the organizations of the Scope by name. */
export async function listOrganizations(store: Store): Promise<Organization[]> {
  const rows = await store
    .selectFrom('organization')
    .select(['organization_id', 'name', 'type', 'settings'])
    .orderBy('name')
    .execute()
  return rows.map((row) => ({
    id: row.organization_id,
    name: row.name,
    type: row.type as Organization['type'],
    settings: OrganizationSettings.parse(row.settings),
  }))
}

/** Finds an organization of the Scope. @throws Problem `not_found`. */
export async function findOrganization(store: Store, id: string): Promise<Organization> {
  const organization = (await listOrganizations(store)).find((item) => item.id === id)
  if (!organization) throw new Problem('not_found', 'There is no such organization.')
  return organization
}

/** Every response with a region reads its organization, so they are cached until one changes. */
const getCache = cachePerStore<readonly Organization[]>(['organization'])

/** Adds to each region the organization to which it belongs. */
export async function addOrganizations(
  state: State,
  scope: Scope,
  regions: readonly Region[],
): Promise<RegionOfOrganization[]> {
  if (!regions.length) return []
  const organizations = await getCache(state.changes).get(scope, '', () => listOrganizations(state.as(scope)))
  return regions.map((region) => {
    const organization = organizations.find(({ id }) => id === region.organizationId)
    if (!organization) throw new Error(`Region ${region.regionId} is outside the organizations of its Scope`)
    const { id, name, type } = organization
    return { ...region, organization: { id, name, type } }
  })
}

/** Adds to a region the organization to which it belongs. */
export async function addOrganization(
  state: State,
  scope: Scope,
  region: Region,
): Promise<RegionOfOrganization> {
  const [regionOfOrganization] = await addOrganizations(state, scope, [region])
  return regionOfOrganization as RegionOfOrganization
}
