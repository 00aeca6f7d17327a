import type { Feed, PullWindowStatus } from '#contract/feeds.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Store } from '#server/stores/state.ts'
import type { FeedServices } from './feed-services.ts'
import { openStatuses } from './pull/windows/due-pull-windows.ts'
import { continuousStart } from './pull/windows/pull-window.ts'
import { type FeedRow, type PullWindowCounts, readFeed } from './read-feed.ts'

/** Counts the pull windows of feeds by status, without continuous streams, and finds the next one. */
async function countPullWindows(
  store: Store,
  feedIds: readonly string[],
): Promise<Map<string, PullWindowCounts>> {
  const countsByFeed = new Map<string, PullWindowCounts>(
    feedIds.map((feedId) => [feedId, { next: null, counts: {} }]),
  )
  if (!feedIds.length) return countsByFeed
  const rows = await store
    .selectFrom('pull_window')
    .select(({ fn }) => [
      'feed_id',
      'status',
      fn.min('next_time').as('next'),
      fn.countAll<string>().filterWhere('window_start', '>', new Date(continuousStart)).as('count'),
    ])
    .where('feed_id', 'in', feedIds)
    .groupBy(['feed_id', 'status'])
    .execute()
  for (const { feed_id: feedId, status, next, count } of rows) {
    const feedCounts = countsByFeed.get(feedId)
    if (!feedCounts) continue
    feedCounts.counts[status as PullWindowStatus] = Number(count)
    const nextTime = new Date(next)
    if (openStatuses.includes(status) && (feedCounts.next === null || nextTime < feedCounts.next))
      feedCounts.next = nextTime
  }
  return countsByFeed
}

/** Lists the feeds of a region, sorted by operator and name. */
export async function listFeeds(
  { state, secretBox }: Pick<FeedServices, 'state' | 'secretBox'>,
  scope: Scope,
  regionId: string,
): Promise<Feed[]> {
  await findRegion(state, scope, regionId)
  const rows = await state
    .as(scope)
    .selectFrom('feed')
    .selectAll()
    .where('region_id', '=', regionId)
    .orderBy('operator')
    .orderBy('name')
    .orderBy('feed_id')
    .execute()
  const counts = await countPullWindows(
    state.as(scope),
    rows.map((row) => row.feed_id),
  )
  return rows.map((row) => readFeed(secretBox, row, counts.get(row.feed_id) ?? { next: null, counts: {} }))
}

/** Finds the stored row of a feed. @throws Problem `not_found`. */
export async function findFeedRow(
  store: Store,
  { region_id: regionId, feed_id: feedId }: { region_id: string; feed_id: string },
): Promise<FeedRow> {
  return store
    .selectFrom('feed')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('feed_id', '=', feedId)
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'There is no such feed.'))
}

/** Finds a feed. @throws Problem `not_found`. */
export async function findFeed(
  { state, secretBox }: Pick<FeedServices, 'state' | 'secretBox'>,
  scope: Scope,
  ids: { region_id: string; feed_id: string },
): Promise<Feed> {
  const row = await findFeedRow(state.as(scope), ids)
  const counts = await countPullWindows(state.as(scope), [row.feed_id])
  return readFeed(secretBox, row, counts.get(row.feed_id) ?? { next: null, counts: {} })
}
