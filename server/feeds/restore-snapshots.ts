import { getErrorMessage } from '#contract/problem-text.ts'
import type { ServerMessages } from '#server/stores/server-messages.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { GbfsSink } from './sinks/gbfs-sink.ts'
import type { FeedServices } from './feed-services.ts'
import { findSources } from './feed-source.ts'

/** Restores the last snapshots and stations of GBFS feeds after a start. */
export async function restoreSnapshots(
  { state, secretBox, log }: Pick<FeedServices, 'state' | 'secretBox' | 'log'>,
  snapshots: Pick<GbfsSink, 'restore'>,
): Promise<void> {
  const rows = await state
    .as(systemScope)
    .selectFrom('feed')
    .select('feed_id')
    .where('kind', '=', 'gbfs')
    .where('enabled', '=', true)
    .execute()
  const ids = rows.map(({ feed_id: feedId }) => feedId)
  await restoreFeeds({ state, secretBox, log }, snapshots, ids)
}

/** Restores the snapshots of feeds that other servers pull, whenever these servers report a new one. */
export function restoreSnapshotsOfOtherServers(
  feeds: Pick<FeedServices, 'state' | 'secretBox' | 'log'>,
  snapshots: Pick<GbfsSink, 'restore'>,
  messages: ServerMessages,
): void {
  messages.on(snapshotTopic, ({ feedId }) => {
    restoreFeeds(feeds, snapshots, [String(feedId)]).catch((error: unknown) =>
      feeds.log('snapshot of another server could not be restored', {
        feedId,
        error: getErrorMessage(error),
      }),
    )
  })
}

/** The topic of messages between servers about a new snapshot of a GBFS feed, with its `feedId`. */
export const snapshotTopic = 'snapshot'

async function restoreFeeds(
  { state, secretBox, log }: Pick<FeedServices, 'state' | 'secretBox' | 'log'>,
  snapshots: Pick<GbfsSink, 'restore'>,
  feedIds: string[],
): Promise<void> {
  for (const { feed } of await findSources({ state, secretBox }, feedIds))
    await snapshots
      .restore(feed)
      .catch((error: unknown) =>
        log('last snapshot could not be restored', { feedId: feed.feedId, error: getErrorMessage(error) }),
      )
}
