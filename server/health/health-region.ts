import { Problem } from '#server/http/problem.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'

/** The properties of a region that data health uses. */
export interface HealthRegion {
  regionId: string
  organizationId: string
  timezone: string
  lostAfterHours: number
  /** Covers all operators: figures are counted once for all viewers of the region. */
  scope: Scope
}

const regionColumns = ['region_id', 'organization_id', 'timezone', 'lost_after_hours'] as const

const toHealthRegion = (row: {
  region_id: string
  organization_id: string
  timezone: string
  lost_after_hours: number
}): HealthRegion => ({
  regionId: row.region_id,
  organizationId: row.organization_id,
  timezone: row.timezone,
  lostAfterHours: row.lost_after_hours,
  scope: regionScope(row.organization_id, row.region_id),
})

/** Finds a region within the Scope of the store. @throws Problem `not_found`. */
export async function findHealthRegion(store: Store, regionId: string): Promise<HealthRegion> {
  const row = await store
    .selectFrom('region')
    .select(regionColumns)
    .where('region_id', '=', regionId)
    .executeTakeFirstOrThrow(() => new Problem('not_found', `There is no region '${regionId}'.`))
  return toHealthRegion(row)
}

/** Finds all regions with a feed of an operator, for which the rules are evaluated. */
export async function findRegionsWithFeeds(state: State): Promise<HealthRegion[]> {
  const rows = await state
    .as(systemScope)
    .selectFrom('region')
    .innerJoin('feed', 'feed.region_id', 'region.region_id')
    .select(regionColumns.map((name) => `region.${name}` as const))
    .where('feed.operator', 'is not', null)
    .distinct()
    .execute()
  return rows.map(toHealthRegion)
}

/** Finds the ids of a region's feeds in MDS 1.2, which has another state machine. */
export async function findEarlierFeeds(
  state: State,
  { regionId, scope }: Pick<HealthRegion, 'regionId' | 'scope'>,
): Promise<string[]> {
  const rows = await state
    .as(scope)
    .selectFrom('feed')
    .select('feed_id')
    .where('region_id', '=', regionId)
    .where('version', '=', '1.2')
    .execute()
  return rows.map((row) => row.feed_id)
}
