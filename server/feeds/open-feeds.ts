import type { Job } from '#server/jobs/job.ts'
import { readDeferredPushesJob } from './agency/deferred-pushes.ts'
import type { Route } from '#server/http/route.ts'
import { oauthTokens } from './auth/oauth-tokens.ts'
import type { Feeds } from './feeds.ts'
import { openPuller, type Puller } from './pull/pull-feeds.ts'
import { feedRoutes } from './routes.ts'
import { systemScope } from '#server/identity/scope.ts'
import { heldRegions } from '#server/regions/fact-limits.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { State } from '#server/stores/state.ts'
import { rawRoot } from './raw/raw-files.ts'

const day = 86_400_000

/**
 * Removes raw input that is older than its region retains, unless the region has a legal hold, and that of deleted regions. Returns the
 * number of removed days of feeds.
 */
export async function removeOldRaw(
  state: Pick<State, 'as'>,
  blobs: Pick<BlobStore, 'folders' | 'deleteAll'>,
  at: Date,
): Promise<number> {
  const rows = await state
    .as(systemScope)
    .selectFrom('region')
    .select(['region_id', 'raw_retention_days'])
    .execute()
  const retentionDays = new Map(rows.map((row) => [row.region_id, row.raw_retention_days]))
  for (const regionId of await heldRegions(state)) retentionDays.set(regionId, Infinity)
  let removed = 0
  for (const region of await blobs.folders(rawRoot))
    for (const feed of await blobs.folders(`${rawRoot}${region}/`))
      for (const date of await blobs.folders(`${rawRoot}${region}/${feed}/`)) {
        // A day is old when all of it is.
        const ends = Date.parse(date) + day
        if (Number.isNaN(ends) || ends + (retentionDays.get(region) ?? 0) * day > at.getTime()) continue
        await blobs.deleteAll(`${rawRoot}${region}/${feed}/${date}/`)
        removed++
      }
  return removed
}

/** Feeds of all regions. */
export interface OpenFeeds extends Puller {
  routes: Route[]
  /** Stores pushes that could not be stored. */
  readDeferred: Job
  /** Removes raw input that is older than its region retains. */
  removeOldRaw(): Promise<void>
}

/** `alone`: this process owns the state store, so that leases of other processes are stale. */
export function openFeeds(feeds: Feeds & { alone?: boolean }): OpenFeeds {
  const { state, blobs, log, now } = feeds
  const tokens = oauthTokens(feeds.fetch, now)
  const puller = openPuller(feeds, tokens, { alone: feeds.alone ?? false })
  return {
    ...puller,
    readDeferred: readDeferredPushesJob(feeds),
    routes: feedRoutes(feeds, tokens, puller),
    async removeOldRaw() {
      const removed = await removeOldRaw(state, blobs, now())
      if (removed) log('raw input removed', { days: removed })
    },
  }
}
