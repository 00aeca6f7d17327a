import type { AdapterFeed } from '../../adapters/adapter.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'

const batchSize = 2000

/**
 * Enqueues pull windows of a stream by their starts in ms. Known ones stay as they are (`missing`), become due unless they are done
 * (`open`), or become due whatever their status (`again`). Returns the number of enqueued windows.
 */
export async function enqueuePullWindows(
  state: Pick<State, 'as'>,
  { feedId, regionId }: Pick<AdapterFeed, 'feedId' | 'regionId'>,
  stream: string,
  windowStarts: readonly number[],
  at: Date,
  which: 'missing' | 'open' | 'again',
): Promise<number> {
  let enqueued = 0
  for (let first = 0; first < windowStarts.length; first += batchSize) {
    const values = windowStarts.slice(first, first + batchSize).map((windowStart) => ({
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
        if (which === 'missing') return target.doNothing()
        const again = target.doUpdateSet({ status: 'wanted', tries: 0, next_time: at, problem: null })
        return which === 'again' ? again : again.where('pull_window.status', 'not in', ['done', 'nothing'])
      })
      .returning('window_start')
      .execute()
    enqueued += rows.length
  }
  return enqueued
}
