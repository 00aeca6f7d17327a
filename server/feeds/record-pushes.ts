import { pushedKinds } from '#contract/feeds.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Log } from '#server/jobs/log.ts'
import type { OnBatchStored } from '#server/fleet/events/fleet-ingest.ts'
import { arraysAs } from '#server/stores/insert-rows.ts'
import type { State } from '#server/stores/state.ts'
import { newestOf } from './pull/record-pull.ts'

/** Minimum ms between two updates: pushes may arrive many times per second, and each update makes the server read all keys of feeds again. */
const minIntervalMs = 5000

/** Records the last push and the newest record of feeds that operators push to. Other feeds are updated when they are pulled. */
export function recordPushes(state: Pick<State, 'as'>, log: Log): OnBatchStored {
  const waiting = new Map<string, { at: Date; record: Date }>()
  let lastUpdate = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const update = (): void => {
    clearTimeout(timer)
    timer = undefined
    const pushes = [...waiting]
    waiting.clear()
    lastUpdate = Math.max(...pushes.map(([, { at }]) => at.getTime()))
    const store = state.as(systemScope)
    const pushed = arraysAs(store, 'pushed', {
      feed_id: { type: 'uuid', values: pushes.map(([feedId]) => feedId) },
      at: { type: 'timestamptz', values: pushes.map(([, { at }]) => at) },
      record: { type: 'timestamptz', values: pushes.map(([, { record }]) => record) },
    })
    store
      .updateTable('feed')
      .from(pushed)
      // Older records may be pushed later. An unknown time (null) is smaller than any other.
      .set((eb) => ({
        last_attempt_time: eb.ref('pushed.at'),
        last_success_time: eb.ref('pushed.at'),
        last_record_time: eb.fn<Date>('greatest', ['last_record_time', 'pushed.record']),
      }))
      .whereRef('feed.feed_id', '=', 'pushed.feed_id')
      .where('kind', 'in', pushedKinds)
      .execute()
      .catch((error: unknown) =>
        log('pushes could not be recorded', {
          error: error instanceof Error ? error.message : String(error),
        }),
      )
  }
  return ({ feedId, received, records }) => {
    const newest = newestOf(records, received)
    if (newest === null) return
    const known = waiting.get(feedId)
    waiting.set(feedId, {
      at: new Date(received),
      record: new Date(Math.max(newest, Number(known?.record ?? 0))),
    })
    if (received - lastUpdate >= minIntervalMs) update()
    else timer ??= setTimeout(update, minIntervalMs).unref()
  }
}
