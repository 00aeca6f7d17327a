import { systemScope } from '#server/identity/scope.ts'
import type { GbfsKeeper } from '#server/ingest/sinks/keep-gbfs.ts'
import type { Feeds } from './feeds.ts'
import { findSources } from './feed-source.ts'

/** Shows what GBFS feeds told last, with their stations, until they are pulled again: after a start. */
export async function recallSnapshots(
  { state, box, log }: Pick<Feeds, 'state' | 'box' | 'log'>,
  snapshots: Pick<GbfsKeeper, 'recall'>,
): Promise<void> {
  const rows = await state
    .as(systemScope)
    .selectFrom('feed')
    .select('feed_id')
    .where('kind', '=', 'gbfs')
    .where('enabled', '=', true)
    .execute()
  for (const { asked } of await findSources(
    { state, box },
    rows.map(({ feed_id: feedId }) => feedId),
  ))
    await snapshots
      .recall(asked)
      .catch((error: unknown) =>
        log('kept snapshot could not be shown', { feedId: asked.feedId, error: String(error) }),
      )
}
