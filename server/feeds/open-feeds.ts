import type { Job } from '#server/jobs/job.ts'
import { readDeferredPushesJob } from './agency/deferred-pushes.ts'
import type { Route } from '#server/http/route.ts'
import { oauthTokens } from './auth/oauth-tokens.ts'
import type { Feeds } from './feeds.ts'
import { openPuller, type Puller } from './pull/pull-feeds.ts'
import { feedRoutes } from './routes.ts'
import { removeOldRaw } from './raw/remove-old-raw.ts'

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
