import type { Region } from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { readRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

export interface PublicRegion {
  region: Region
  /** Of this region alone. */
  scope: Scope
}

/** A region whose routes are public: switched on, with the routes map allowed and MDS data. For all others one and the same answer, so that nobody learns which regions there are. */
export async function findPublicRegion(state: State, regionId: string): Promise<PublicRegion> {
  const row = await state.as(systemScope).selectFrom('region').selectAll().where('region_id', '=', regionId).where('has_public_routes', '=', true).executeTakeFirst()
  const region = row && readRegion(row)
  if (!region || !region.hasMdsData || !(region.allowedMaps?.includes('routes') ?? true)) throw new Problem('not_found', 'No public routes map is published here.')
  return { region, scope: regionScope(region.organizationId, region.regionId) }
}
