import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Job } from '#server/jobs/job.ts'
import { isStoreUnreachable } from '#server/stores/store-unreachable.ts'
import type { State } from '#server/stores/state.ts'
import type { FeedServices } from '../feed-services.ts'
import { rereadRaw } from '../raw/reread-raw.ts'
import type { Pusher } from './find-pusher.ts'

/** The interval at which storing deferred pushes is retried. */
const retrySeconds = 10

/**
 * Records that a push was received but could not be stored, because the fact store is unavailable. The
 * operator gets an error and may send the push again; the records are stored only once.
 */
export async function deferPush(
  state: Pick<State, 'as'>,
  { organizationId, regionId, feedId }: Pick<Pusher, 'organizationId' | 'regionId' | 'feedId'>,
  received: number,
): Promise<void> {
  await state
    .as(regionScope(organizationId, regionId))
    .insertInto('deferred_push')
    .values({ feed_id: feedId, region_id: regionId, from_ms: String(received), until_ms: String(received) })
    .onConflict((conflict) =>
      conflict.column('feed_id').doUpdateSet(({ fn, ref }) => ({
        from_ms: fn<string>('least', [ref('deferred_push.from_ms'), ref('excluded.from_ms')]),
        until_ms: fn<string>('greatest', [ref('deferred_push.until_ms'), ref('excluded.until_ms')]),
      })),
    )
    .execute()
}

/** Reads the job that stores deferred pushes from their raw input. */
export function readDeferredPushesJob(feeds: FeedServices): Job {
  const { state, log } = feeds
  return {
    name: 'read-deferred-pushes',
    description: 'Stores pushes that were received while the fact store could not be reached',
    every: { seconds: retrySeconds, on: 'one server' },
    async run(stop) {
      const rows = await state
        .as(systemScope)
        .selectFrom('deferred_push')
        .innerJoin('region', 'region.region_id', 'deferred_push.region_id')
        .select([
          'deferred_push.feed_id',
          'deferred_push.region_id',
          'from_ms',
          'until_ms',
          'organization_id',
        ])
        .execute()
      for (const row of rows) {
        if (stop.aborted) return
        const span = {
          streams: [],
          from: new Date(Number(row.from_ms)).toISOString(),
          until: new Date(Number(row.until_ms) + 1).toISOString(),
        }
        const scope = regionScope(row.organization_id, row.region_id)
        try {
          const counts = await rereadRaw(feeds, scope, { params: row, body: span, signal: stop })
          log('deferred pushes', { feedId: row.feed_id, ...counts })
        } catch (error) {
          if (isStoreUnreachable(error)) return
          throw error
        }
        if (stop.aborted) return
        // If another push was deferred meanwhile, `until_ms` is later and the row remains.
        await state
          .as(scope)
          .deleteFrom('deferred_push')
          .where('feed_id', '=', row.feed_id)
          .where('until_ms', '=', row.until_ms)
          .execute()
      }
    },
  }
}
