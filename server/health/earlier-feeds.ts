import type { State } from '#server/stores/state.ts'
import type { HealthRegion } from './health-region.ts'

/** Feeds of a region that speak MDS 1.2, whose state machine is another. */
export async function earlierFeeds(
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
