import type { Region } from '#contract/regions.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { readRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

export interface FeedRegion {
  region: Region
  /** Of this region alone. */
  scope: Scope
  created: Date
}

/** The region of a public feed, or null. */
export async function publicRegion(state: State, regionId: string): Promise<FeedRegion | null> {
  const row = await state.as(systemScope).selectFrom('region').selectAll().where('region_id', '=', regionId).executeTakeFirst()
  if (!row) return null
  const region = readRegion(row)
  return { region, scope: regionScope(region.organizationId, region.regionId), created: row.created_time }
}
