import { hourMs } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { AdapterFeed, PullWindow, Stream } from '../../adapters/adapter.ts'
import { getBackfillHours } from './plan-pull-windows.ts'
import { pullWindowAt, continuousStart } from './pull-window.ts'

/** A pull window that is due. */
export interface DuePullWindow {
  stream: string
  /** Its start, ms; `continuousStart` for continuous streams. */
  windowStart: number
  tries: number
  /** For a `recent` stream the time until which it was pulled, ms; null if it never was. */
  pulledUntil: number | null
}

/** The statuses of pull windows that are still to be pulled. */
export const openStatuses = ['wanted', 'waiting', 'failed']
/** Consecutive pulls of a `recent` stream overlap by this, so that late records are not missed. */
const overlapMs = 5 * 60_000
/** `recent` streams (MDS) go back at most two weeks. */
const maxRecentMs = 14 * 24 * hourMs

/** Filters feeds by whether they have a due pull window. */
export async function filterFeedsWithDue(
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

/** Finds when the next pull window of these feeds is due after `at`, ms; null if none will be. */
export async function findNextDueTime(
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

/** Finds the due pull windows of a feed: continuous streams first, then the newest windows. */
export async function findDuePullWindows(
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
    pulledUntil: done?.getTime() ?? null,
  }))
}

/** Returns the time range to request for a due pull window. */
export function getRequestedPullWindow(
  { window }: Stream,
  due: DuePullWindow,
  feed: Pick<AdapterFeed, 'settings' | 'timezone'>,
  now: number,
): PullWindow {
  if (window === 'now') return { from: now, until: now }
  if (window === 'recent') {
    const firstTime = now - Math.max(1, getBackfillHours(feed)) * hourMs
    const from = due.pulledUntil === null ? firstTime : due.pulledUntil - overlapMs
    return { from: Math.max(now - maxRecentMs, from), until: now }
  }
  return pullWindowAt(window, due.windowStart, feed.timezone) ?? { from: due.windowStart, until: now }
}
