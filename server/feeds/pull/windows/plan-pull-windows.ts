import { defaultBackfillHours } from '#contract/feeds.ts'
import { hourMs } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { Adapter, AdapterFeed, PullWindow, Stream } from '../../adapters/adapter.ts'
import { pullWindowAt, pullWindowsBetween, continuousStart } from './pull-window.ts'
import { enqueuePullWindows } from './enqueue-pull-windows.ts'

/** Returns the number of past hours that a new feed requests, and `recent` streams until their first success. */
export function getBackfillHours({ settings }: Pick<AdapterFeed, 'settings'>): number {
  const hours = Number(settings['backfillHours'] ?? defaultBackfillHours)
  return Number.isFinite(hours) && hours >= 0 ? hours : defaultBackfillHours
}

/**
 * Lists a stream's new pull windows: those that ended after the last enqueued one, which starts at
 * `lastStart` (ms). For a new stream (null), those of the last `getBackfillHours`. `now`: ms.
 */
export function listNewPullWindows(
  stream: Stream,
  feed: Pick<AdapterFeed, 'settings' | 'timezone'>,
  lastStart: number | null,
  now: number,
): PullWindow[] {
  const { timezone } = feed
  if (lastStart !== null) {
    const from = pullWindowAt(stream.window, lastStart, timezone)?.until ?? now
    return [...pullWindowsBetween(stream.window, from, now, timezone)]
  }
  const firstTime = now - Math.max(1, getBackfillHours(feed)) * hourMs
  const initialWindows = [...pullWindowsBetween(stream.window, firstTime, now, timezone)]
  if (initialWindows.length) return initialWindows
  // No day or month has ended within these hours: the last one that has ended.
  const current = pullWindowAt(stream.window, now, timezone)
  const previous = current && pullWindowAt(stream.window, current.from - 1, timezone)
  return previous ? [previous] : []
}

/**
 * Enqueues the new pull windows of all streams of a feed, with a single one for each continuous stream.
 * Returns their number.
 */
export async function planPullWindows(
  state: Pick<State, 'as'>,
  adapter: Adapter,
  feed: AdapterFeed,
  at: Date,
): Promise<number> {
  const rows = await state
    .as(systemScope)
    .selectFrom('pull_window')
    .select(({ fn }) => ['stream', fn.max('window_start').as('lastStart')])
    .where('feed_id', '=', feed.feedId)
    .groupBy('stream')
    .execute()
  const lastStarts = new Map(rows.map(({ stream, lastStart }) => [stream, new Date(lastStart).getTime()]))
  let enqueued = 0
  for (const stream of adapter.streams(feed)) {
    const lastStart = lastStarts.get(stream.name) ?? null
    const isContinuous = stream.window === 'now' || stream.window === 'recent'
    if (isContinuous && lastStart !== null) continue
    const windowStarts = isContinuous
      ? [continuousStart]
      : listNewPullWindows(stream, feed, lastStart, at.getTime()).map(({ from }) => from)
    enqueued += await enqueuePullWindows(state, feed, {
      stream: stream.name,
      windowStarts,
      mode: 'missing',
      at,
    })
  }
  return enqueued
}
