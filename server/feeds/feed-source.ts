import type { FeedKind } from '#contract/feeds.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import type { FullAuth } from './auth/full-auth.ts'
import { openAuth, UnreadableSecrets } from './auth/sealed-auth.ts'
import type { SinkFeed } from './sinks/sink-feed.ts'

/** A feed with all that is needed to pull it, such as its credentials. */
export interface FeedSource {
  feed: SinkFeed
  kind: FeedKind
  auth: FullAuth
  /** Why its secrets cannot be opened; null if they can. `auth` is `none` then. */
  unreadable: string | null
  intervalSeconds: number
}

interface SourceRow {
  feed_id: string
  region_id: string
  operator: string | null
  kind: string
  version: string
  url: string | null
  settings: Record<string, unknown>
  interval_seconds: number
  sealed_secrets: string | null
  organization_id: string
  timezone: string
  lat: number
  lon: number
  provider_id: string | null
}

function tryOpenAuth(secretBox: SecretBox, row: SourceRow): { auth: FullAuth; unreadable: string | null } {
  try {
    return { auth: openAuth(secretBox, row), unreadable: null }
  } catch (error) {
    if (error instanceof UnreadableSecrets) return { auth: { kind: 'none' }, unreadable: error.message }
    throw error
  }
}

/** Converts a stored feed with columns of its region and operator. */
export function toFeedSource(secretBox: SecretBox, row: SourceRow): FeedSource {
  return {
    ...tryOpenAuth(secretBox, row),
    kind: row.kind as FeedKind,
    intervalSeconds: row.interval_seconds,
    feed: {
      feedId: row.feed_id,
      organizationId: row.organization_id,
      regionId: row.region_id,
      operator: row.operator ?? '',
      providerId: row.provider_id ?? '',
      version: row.version,
      url: row.url ?? '',
      settings: row.settings,
      timezone: row.timezone,
      lat: row.lat,
      lon: row.lon,
    },
  }
}

/** Finds feeds by id, with data of their region and operator. Ids without a feed are ignored. */
export async function findSources(
  { state, secretBox }: { state: Pick<State, 'as'>; secretBox: SecretBox },
  feedIds: readonly string[],
): Promise<FeedSource[]> {
  if (!feedIds.length) return []
  const rows = await state
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
      'feed.kind',
      'feed.version',
      'feed.url',
      'feed.settings',
      'feed.interval_seconds',
      'feed.sealed_secrets',
      'region.organization_id',
      'region.timezone',
      'region.lat',
      'region.lon',
      'operator.provider_id',
    ])
    .where('feed.feed_id', 'in', feedIds)
    .execute()
  return rows.map((row) => toFeedSource(secretBox, row))
}
