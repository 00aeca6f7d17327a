import type { FoundKey } from '#server/api-keys/find-key.ts'
import { systemScope } from '#server/identity/scope.ts'
import { type MdsMode, mdsModes } from '../mds/mds-context.ts'
import type { State } from '#server/stores/state.ts'

/** The operator that an API key belongs to, with the feed that its pushes are stored for. */
export interface Pusher {
  feedId: string
  organizationId: string
  regionId: string
  operator: string
  /** '' if the operator's provider id is unknown. */
  providerId: string
  mode: MdsMode | null
}

/** Finds the pusher of an API key; null if its feed is disabled or not in a region of the key. */
export async function findPusher(
  state: State,
  { feedId, organizationId, regionIds }: Pick<FoundKey, 'feedId' | 'organizationId' | 'regionIds'>,
): Promise<Pusher | null> {
  if (feedId === null) return null
  const row = await state
    .as(systemScope)
    .selectFrom('feed')
    .innerJoin('region', 'region.region_id', 'feed.region_id')
    .leftJoin('operator', (join) =>
      join
        .onRef('operator.organization_id', '=', 'region.organization_id')
        .onRef('operator.slug', '=', 'feed.operator'),
    )
    .select([
      'feed.feed_id',
      'feed.region_id',
      'feed.operator',
      'feed.settings',
      'region.organization_id',
      'operator.provider_id',
    ])
    .where('feed.feed_id', '=', feedId)
    .where('feed.enabled', '=', true)
    .where('region.organization_id', '=', organizationId)
    .executeTakeFirst()
  if (!row?.operator || !regionIds.includes(row.region_id)) return null
  return {
    feedId: row.feed_id,
    organizationId: row.organization_id,
    regionId: row.region_id,
    operator: row.operator,
    providerId: row.provider_id ?? '',
    mode: mdsModes.find((mdsMode) => mdsMode === row.settings['mode']) ?? null,
  }
}
