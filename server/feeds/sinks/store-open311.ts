import { regionScope } from '#server/identity/scope.ts'
import { nameServices } from '#server/issues/name-services.ts'
import { storeIssues } from '#server/issues/store-issues.ts'
import type { State } from '#server/stores/state.ts'
import type { Open311Content } from '../adapters/open311.ts'
import type { SinkFeed } from './sink-feed.ts'

/** Stores the issues and services of Open311 feeds. Idempotent. Returns the number of records. */
export const storeOpen311 =
  (state: State) =>
  async (feed: SinkFeed, sent: unknown, received: number): Promise<number> => {
    const content = sent as Open311Content
    const scope = regionScope(feed.organizationId, feed.regionId)
    if (content.kind === 'services')
      return nameServices(state, scope, {
        regionId: feed.regionId,
        source: feed.feedId,
        services: content.services,
      })
    await storeIssues(
      state,
      scope,
      { regionId: feed.regionId, source: feed.feedId, observed: received, importId: null },
      content.issues,
    )
    return content.issues.length
  }
