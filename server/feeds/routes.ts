import * as contract from '#contract/feeds.ts'
import { type Route, route } from '#server/http/route.ts'
import { listAgencyTokens, makeAgencyToken, revokeAgencyToken } from './agency/tokens.ts'
import type { OAuthTokens } from './auth/oauth-tokens.ts'
import { backFillFeed, pullFeed } from './pull/backfill.ts'
import type { FeedServices } from './feed-services.ts'
import { findFeedRow, listFeeds } from './find-feeds.ts'
import { listPullWindows } from './pull/list-pull-windows.ts'
import { listMdsOperators } from './mds-operators.ts'
import type { Puller } from './pull/feed-puller.ts'
import { rereadRaw } from './raw/reread-raw.ts'
import { changeFeed, createFeed, deleteFeed } from './save-feed.ts'
import { testFeed } from './test-feed.ts'

export function feedRoutes(feeds: FeedServices, tokens: OAuthTokens, puller: Pick<Puller, 'wake'>): Route[] {
  const { state, keySettings } = feeds
  /** Wakes the puller after a change, which may have made pull windows due. */
  const wakeAfter = async <T>(change: Promise<T>): Promise<T> => {
    const result = await change
    puller.wake()
    return result
  }
  return [
    route(contract.listFeeds, ({ viewer, params }) => listFeeds(feeds, viewer.scope, params.region_id)),
    route(contract.createFeed, (call) => wakeAfter(createFeed(feeds, call))),
    route(contract.testFeed, (call) => testFeed(feeds, tokens, call)),
    route(contract.changeFeed, (call) => wakeAfter(changeFeed(feeds, call))),
    route(contract.deleteFeed, ({ viewer, params }) => deleteFeed(feeds, viewer.scope, params)),
    route(contract.backFillFeed, ({ viewer, params, body, at }) =>
      wakeAfter(backFillFeed(feeds, viewer.scope, { params, body, at })),
    ),
    route(contract.pullFeed, ({ viewer, params, at }) =>
      wakeAfter(pullFeed(feeds, viewer.scope, params, at)),
    ),
    route(contract.rereadFeed, ({ viewer, params, body, signal }) =>
      rereadRaw(feeds, viewer.scope, { params, body, signal }),
    ),
    route(contract.listPullWindows, ({ viewer, params, query }) =>
      listPullWindows(state.as(viewer.scope), params, query),
    ),
    route(contract.listAgencyTokens, async ({ viewer, params, at }) =>
      listAgencyTokens(state, viewer.scope, (await findFeedRow(state.as(viewer.scope), params)).feed_id, at),
    ),
    route(contract.makeAgencyToken, async ({ viewer, params, at }) => {
      const { feed_id: feedId } = await findFeedRow(state.as(viewer.scope), params)
      const { token } = await makeAgencyToken(state.as(viewer.scope), feedId, {
        actor: viewer,
        at,
        settings: keySettings,
      })
      return { token }
    }),
    route(contract.revokeAgencyToken, async ({ viewer, params, at }) => {
      const { feed_id: feedId } = await findFeedRow(state.as(viewer.scope), params)
      await revokeAgencyToken(state, viewer.scope, { feedId, tokenId: params.token_id, actor: viewer, at })
      return { revoked: true }
    }),
    route(contract.listMdsOperators, ({ viewer, params }) =>
      listMdsOperators(state, viewer.scope, params.region_id),
    ),
  ]
}
