import { regionScope } from '#server/identity/scope.ts'
import { nameServices } from '#server/issues/name-services.ts'
import { storeIssues } from '#server/issues/store-issues.ts'
import type { State } from '#server/stores/state.ts'
import type { Open311Found } from '../adapters/open311.ts'
import type { SinkFeed } from './sink-feed.ts'

/** Stores the issues of Open311 feeds. Returns the number of records; repetitions change nothing. */
export const storeOpen311 =
  (state: State) =>
  async (feed: SinkFeed, other: unknown, received: number): Promise<number> => {
    const found = other as Open311Found
    const scope = regionScope(feed.organizationId, feed.regionId)
    if (found.kind === 'services')
      return nameServices(state, scope, feed.regionId, feed.feedId, found.services)
    await storeIssues(
      state,
      scope,
      { regionId: feed.regionId, source: feed.feedId, observed: received, importId: null },
      found.issues,
    )
    return found.issues.length
  }
