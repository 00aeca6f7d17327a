import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { AdapterFeed } from '../../adapters/adapter.ts'

/** The number of windows per statement. */
const batchSize = 2000

/**
 * Enqueues pull windows of a stream by their starts (ms). Returns the number of windows added or made due.
 * `mode` decides about existing windows: `missing` leaves them as they are; `open` makes them due unless they
 * are done; `again` makes all of them due.
 */
export async function enqueuePullWindows(
  state: Pick<State, 'as'>,
  { feedId, regionId }: Pick<AdapterFeed, 'feedId' | 'regionId'>,
  {
    stream,
    windowStarts,
    mode,
    at,
  }: { stream: string; windowStarts: readonly number[]; mode: 'missing' | 'open' | 'again'; at: Date },
): Promise<number> {
  let enqueuedCount = 0
  for (let start = 0; start < windowStarts.length; start += batchSize) {
    const values = windowStarts.slice(start, start + batchSize).map((windowStart) => ({
      feed_id: feedId,
      region_id: regionId,
      stream,
      window_start: new Date(windowStart),
      status: 'wanted',
      next_time: at,
    }))
    const rows = await state
      .as(systemScope)
      .insertInto('pull_window')
      .values(values)
      .onConflict((conflict) => {
        const target = conflict.columns(['feed_id', 'stream', 'window_start'])
        if (mode === 'missing') return target.doNothing()
        const makeDue = target.doUpdateSet({ status: 'wanted', tries: 0, next_time: at, problem: null })
        return mode === 'again' ? makeDue : makeDue.where('pull_window.status', 'not in', ['done', 'nothing'])
      })
      .returning('window_start')
      .execute()
    enqueuedCount += rows.length
  }
  return enqueuedCount
}
