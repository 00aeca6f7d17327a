import type { AdapterFeed, PullWindow, Stream } from '../../adapters/adapter.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import { backfillHours } from './plan-pull-windows.ts'
import { pullWindowAt, continuousStart } from './pull-window.ts'

/** A pull window that is due. */
export interface DuePullWindow {
  stream: string
  /** Its start, ms; `continuousStart` for streams without windows. */
  windowStart: number
  tries: number
  /** Until when a `window` stream was pulled, ms. */
  known: number | null
}

export const openStatuses = ['wanted', 'waiting', 'failed']
const hour = 3_600_000
/** Late records are included in the next window. */
const overlap = 5 * 60_000
/** MDS lets windows begin at most two weeks back. */
const maxWindowMs = 14 * 24 * hour

/** Those of some feeds that have a due pull window. */
export async function feedsWithDue(
  state: Pick<State, 'as'>,
  feedIds: readonly string[],
  at: Date,
): Promise<string[]> {
  if (!feedIds.length) return []
  const rows = await state
    .as(systemScope)
    .selectFrom('pull_window')
    .select('feed_id')
    .distinct()
    .where('feed_id', 'in', feedIds)
    .where('status', 'in', openStatuses)
    .where('next_time', '<=', at)
    .execute()
  return rows.map((row) => row.feed_id)
}

/** When the next pull window of some feeds is due after `at`, ms; null if there is none. */
export async function nextDueTime(
  state: Pick<State, 'as'>,
  feedIds: readonly string[],
  at: Date,
): Promise<number | null> {
  if (!feedIds.length) return null
  const row = await state
    .as(systemScope)
    .selectFrom('pull_window')
    .select(({ fn }) => fn.min('next_time').as('next'))
    .where('feed_id', 'in', feedIds)
    .where('status', 'in', openStatuses)
    .where('next_time', '>', at)
    .executeTakeFirst()
  return row?.next ? new Date(row.next).getTime() : null
}

/** Due pull windows of a feed: continuous streams first, then the newest. */
export async function duePullWindows(
  state: Pick<State, 'as'>,
  feedId: string,
  at: Date,
  maxCount: number,
): Promise<DuePullWindow[]> {
  const rows = await state
    .as(systemScope)
    .selectFrom('pull_window')
    .select(['stream', 'window_start', 'tries', 'done_time'])
    .where('feed_id', '=', feedId)
    .where('status', 'in', openStatuses)
    .where('next_time', '<=', at)
    .orderBy((eb) => eb('window_start', '>', new Date(continuousStart)), 'asc')
    .orderBy('window_start', 'desc')
    .orderBy('stream')
    .limit(maxCount)
    .execute()
  return rows.map(({ stream, window_start: windowStart, tries, done_time: done }) => ({
    stream,
    windowStart: windowStart.getTime(),
    tries,
    known: done?.getTime() ?? null,
  }))
}

/** The time range to request: the hour, day or month; for continuous streams the time since the last success. */
export function requestedPullWindow(
  { by }: Stream,
  due: DuePullWindow,
  feed: Pick<AdapterFeed, 'settings' | 'timezone'>,
  now: number,
): PullWindow {
  if (by === 'now') return { from: now, until: now }
  if (by === 'window')
    return {
      from: Math.max(
        now - maxWindowMs,
        due.known === null ? now - Math.max(1, backfillHours(feed)) * hour : due.known - overlap,
      ),
      until: now,
    }
  return pullWindowAt(by, due.windowStart, feed.timezone) ?? { from: due.windowStart, until: now }
}
