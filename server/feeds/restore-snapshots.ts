import { systemScope } from '#server/identity/scope.ts'
import type { GbfsSink } from './sinks/gbfs-sink.ts'
import type { Feeds } from './feeds.ts'
import { findSources } from './feed-source.ts'

/** Restores the last snapshots and stations of GBFS feeds after a start, until they are pulled again. */
export async function restoreSnapshots(
  { state, box, log }: Pick<Feeds, 'state' | 'box' | 'log'>,
  snapshots: Pick<GbfsSink, 'restore'>,
): Promise<void> {
  const rows = await state
    .as(systemScope)
    .selectFrom('feed')
    .select('feed_id')
    .where('kind', '=', 'gbfs')
    .where('enabled', '=', true)
    .execute()
  for (const { feed } of await findSources(
    { state, box },
    rows.map(({ feed_id: feedId }) => feedId),
  ))
    await snapshots
      .restore(feed)
      .catch((error: unknown) =>
        log('last snapshot could not be restored', { feedId: feed.feedId, error: String(error) }),
      )
}
