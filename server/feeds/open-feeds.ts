import type { Job } from '#server/jobs/job.ts'
import type { Route } from '#server/http/route.ts'
import { readDeferredPushesJob } from './agency/deferred-pushes.ts'
import { createOAuthTokens } from './auth/oauth-tokens.ts'
import type { FeedServices } from './feed-services.ts'
import { openPuller, type Puller } from './pull/feed-puller.ts'
import { feedRoutes } from './routes.ts'
import { removeOldRaw } from './raw/remove-old-raw.ts'

/** The feeds of all regions. */
export interface OpenFeeds extends Puller {
  routes: Route[]
  /** Stores pushes that were deferred because the fact store was unavailable. */
  readDeferred: Job
  /** Removes raw input that is older than the retention of its region. */
  removeOldRaw(): Promise<void>
}

/** Opens the room. `isAlone`: no other process uses the state store, so leases of other processes are stale. */
export function openFeeds(feeds: FeedServices & { isAlone?: boolean }): OpenFeeds {
  const { state, blobs, log, now } = feeds
  const tokens = createOAuthTokens(feeds.fetch, now)
  const puller = openPuller(feeds, tokens, { isAlone: feeds.isAlone ?? false })
  return {
    isDue: () => puller.isDue(),
    pull: () => puller.pull(),
    stop: () => puller.stop(),
    wake: () => puller.wake(),
    idle: () => puller.idle(),
    readDeferred: readDeferredPushesJob(feeds),
    routes: feedRoutes(feeds, tokens, puller),
    async removeOldRaw() {
      const removed = await removeOldRaw(state, blobs, now())
      if (removed) log('raw input removed', { days: removed })
    },
  }
}
