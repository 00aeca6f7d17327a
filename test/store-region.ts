import type { Insertable } from 'kysely'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { State } from '#server/stores/state.ts'

export async function storeOrganization(state: State, organization_id: string, name = 'City'): Promise<void> {
  await state
    .as(systemScope)
    .insertInto('organization')
    .values({ organization_id, name, type: 'city' })
    .execute()
}

type RegionRow = Insertable<StateTables['region']>

type NewRegion = Pick<RegionRow, 'organization_id' | 'region_id'> & Partial<RegionRow>

/** Stores an organization and a region of it. Returns the Scope of the region. */
export async function storeRegion(state: State, region: NewRegion): Promise<Scope> {
  await storeOrganization(state, region.organization_id, region.text)
  return insertRegion(state, region)
}

/** Stores a region of an existing organization. Returns its Scope. */
export async function insertRegion(state: State, region: NewRegion): Promise<Scope> {
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
      text: 'City',
      ...region,
    })
    .execute()
  return regionScope(region.organization_id, region.region_id)
}

type FeedRow = Insertable<StateTables['feed']>

/** Stores a feed. Returns its id. */
export async function insertFeed(
  state: Pick<State, 'as'>,
  feed: Pick<FeedRow, 'region_id' | 'operator' | 'kind'> & Partial<FeedRow>,
): Promise<string> {
  const { feed_id } = await state
    .as(systemScope)
    .insertInto('feed')
    .values({
      version: '2.0',
      name: feed.operator ?? feed.kind,
      url: null,
      interval_seconds: 60,
      promised_minutes: 5,
      ...feed,
    })
    .returning('feed_id')
    .executeTakeFirstOrThrow()
  return feed_id
}
