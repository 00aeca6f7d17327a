import type { Insertable } from 'kysely'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { State } from '#server/stores/state.ts'

/** Stores an organization. */
export async function storeOrganization(state: State, organization_id: string, name = 'City'): Promise<void> {
  await state
    .as(systemScope)
    .insertInto('organization')
    .values({ organization_id, name, type: 'city' })
    .execute()
}

type RegionRow = Insertable<StateTables['region']>

/** Stores an organization and a region of it. Returns the Scope of the region. */
export async function storeRegion(
  state: State,
  region: Pick<RegionRow, 'organization_id' | 'region_id'> & Partial<RegionRow>,
): Promise<Scope> {
  const { organization_id, region_id, text = 'City' } = region
  await storeOrganization(state, organization_id, text)
  await state
    .as(systemScope)
    .insertInto('region')
    .values({
      lat: 0,
      lon: 0,
      timezone: 'UTC',
      map_zoom: 11,
      currency_code: 'USD',
      is_metric: true,
      logo_filename: null,
      allowed_maps: null,
      ...region,
      text,
    })
    .execute()
  return regionScope(organization_id, region_id)
}
