import type { z } from 'zod'
import type { PullWindow, listPullWindows as contract, PullWindowStatus } from '#contract/feeds.ts'
import { parseOrderBy, countTotal } from '#server/stores/list-query.ts'
import type { Store } from '#server/stores/state.ts'
import { findFeedRow } from '../find-feeds.ts'
import { openStatuses } from './windows/due-pull-windows.ts'
import { continuousStart } from './windows/pull-window.ts'

type ListQuery = z.output<(typeof contract)['request']['query']>

/** Lists a page of a feed's pull windows, newest first by default, without those of continuous streams. */
export async function listPullWindows(
  store: Store,
  ids: { region_id: string; feed_id: string },
  { status, stream, page, size, order_by }: ListQuery,
): Promise<{ items: PullWindow[]; streams: string[]; total: number; page: number; size: number }> {
  const { feed_id: feedId } = await findFeedRow(store, ids)
  const allWindows = store
    .selectFrom('pull_window')
    .where('feed_id', '=', feedId)
    .where('window_start', '>', new Date(continuousStart))
  const streams = await allWindows.select('stream').distinct().orderBy('stream').execute()
  let windows = allWindows
  if (status) windows = windows.where('status', '=', status)
  if (stream) windows = windows.where('stream', '=', stream)
  const total = await countTotal(windows)
  const rows = await windows
    .selectAll()
    .orderBy(...parseOrderBy(order_by))
    .orderBy('window_start', 'desc')
    .orderBy('stream')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const items = rows.map((row): PullWindow => ({
    stream: row.stream,
    windowStart: row.window_start.toISOString(),
    status: row.status as PullWindowStatus,
    tries: row.tries,
    nextTime: openStatuses.includes(row.status) ? row.next_time.toISOString() : null,
    records: row.records,
    problem: row.problem,
    doneTime: row.done_time?.toISOString() ?? null,
  }))
  return { items, streams: streams.map((row) => row.stream), total, page, size }
}
