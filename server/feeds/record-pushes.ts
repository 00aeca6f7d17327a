import { pushedKinds } from '#contract/feeds.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Log } from '#server/jobs/log.ts'
import type { OnBatchStored } from '#server/fleet/events/fleet-ingest.ts'
import type { State } from '#server/stores/state.ts'
import { newestOf } from './pull/record-pull.ts'

/** Minimum ms between two updates of one feed: pushes may arrive many times per second. */
const minIntervalMs = 5000

/** Records the last push and the newest record of feeds that operators push to. Other feeds are updated when they are pulled. */
export function recordPushes(state: Pick<State, 'as'>, log: Log): OnBatchStored {
  const lastRecorded = new Map<string, number>()
  return ({ feedId, received, records }) => {
    const newest = newestOf(records, received)
    if (newest === null || received - (lastRecorded.get(feedId) ?? Number.NEGATIVE_INFINITY) < minIntervalMs)
      return
    lastRecorded.set(feedId, received)
    const [at, record] = [new Date(received), new Date(newest)]
    state
      .as(systemScope)
      .updateTable('feed')
      // Older records may be pushed later. An unknown time (null) is smaller than any other.
      .set((eb) => ({
        last_attempt_time: at,
        last_success_time: at,
        last_record_time: eb.fn<Date>('greatest', ['last_record_time', eb.val(record)]),
      }))
      .where('feed_id', '=', feedId)
      .where('kind', 'in', pushedKinds)
      .execute()
      .catch((error: unknown) =>
        log('push could not be recorded', {
          feedId,
          error: error instanceof Error ? error.message : String(error),
        }),
      )
  }
}
