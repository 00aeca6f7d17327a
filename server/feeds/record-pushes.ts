import { pushedKinds } from '#contract/feeds.ts'
import { getErrorMessage } from '#contract/problem-text.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Log } from '#server/jobs/log.ts'
import type { OnBatchStored } from '#server/fleet/events/fleet-ingest.ts'
import { arraysAs } from '#server/stores/insert-rows.ts'
import type { State } from '#server/stores/state.ts'
import { findNewestTime } from './pull/record-pull.ts'

/**
 * The minimum time between two updates. There may be many pushes per second, and each update invalidates the
 * cached API keys of feeds.
 */
const minIntervalMs = 5000

/** Records the time of the last push and of the newest record of pushed feeds. Pulls update other feeds. */
export function recordPushes(state: Pick<State, 'as'>, log: Log): OnBatchStored {
  /** By feed: when the last push was received, and the time of its newest record. */
  const pending = new Map<string, { at: Date; record: Date }>()
  let lastUpdate = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const update = (): void => {
    clearTimeout(timer)
    timer = undefined
    const pushes = [...pending]
    pending.clear()
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
      // The pushed records may be older than earlier ones. `greatest` ignores an unknown time (null).
      .set((eb) => ({
        last_attempt_time: eb.ref('pushed.at'),
        last_success_time: eb.ref('pushed.at'),
        last_record_time: eb.fn<Date>('greatest', ['last_record_time', 'pushed.record']),
      }))
      .whereRef('feed.feed_id', '=', 'pushed.feed_id')
      .where('kind', 'in', pushedKinds)
      .execute()
      .catch((error: unknown) => log('pushes could not be recorded', { error: getErrorMessage(error) }))
  }
  return ({ feedId, received, records }) => {
    const newestTime = findNewestTime(records, received)
    if (newestTime === null) return
    const previous = pending.get(feedId)
    pending.set(feedId, {
      at: new Date(received),
      record: new Date(Math.max(newestTime, Number(previous?.record ?? 0))),
    })
    if (received - lastUpdate >= minIntervalMs) update()
    else timer ??= setTimeout(update, minIntervalMs).unref()
  }
}
