import type { FeedAsked } from '#server/ingest/adapters/adapter.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'

const atOnce = 2000

/**
 * Wants pieces of a stream, by their beginnings in ms. Those that are known stay as they are (`missing`), are asked now unless they are
 * done (`open`), or are asked whatever they are (`again`). Answers how many are wanted by it.
 */
export async function enqueuePullWindows(
  state: Pick<State, 'as'>,
  { feedId, regionId }: Pick<FeedAsked, 'feedId' | 'regionId'>,
  stream: string,
  windowStarts: readonly number[],
  at: Date,
  which: 'missing' | 'open' | 'again',
): Promise<number> {
  let wanted = 0
  for (let first = 0; first < windowStarts.length; first += atOnce) {
    const values = windowStarts.slice(first, first + atOnce).map((windowStart) => ({
      feed_id: feedId,
      region_id: regionId,
      stream,
      piece: new Date(windowStart),
      status: 'wanted',
      next_time: at,
    }))
    const rows = await state
      .as(systemScope)
      .insertInto('feed_piece')
      .values(values)
      .onConflict((clash) => {
        const there = clash.columns(['feed_id', 'stream', 'piece'])
        if (which === 'missing') return there.doNothing()
        const again = there.doUpdateSet({ status: 'wanted', tries: 0, next_time: at, problem: null })
        return which === 'again' ? again : again.where('feed_piece.status', 'not in', ['done', 'nothing'])
      })
      .returning('piece')
      .execute()
    wanted += rows.length
  }
  return wanted
}
