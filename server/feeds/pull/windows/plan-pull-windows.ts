import { defaultBackfillHours } from '#contract/feeds.ts'
import { hourMs } from '#contract/period.ts'
import type { Adapter, AdapterFeed, PullWindow, Stream } from '../../adapters/adapter.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import { pullWindowAt, pullWindowsBetween, continuousStart } from './pull-window.ts'
import { enqueuePullWindows } from './enqueue-pull-windows.ts'

/** Returns the past hours that a new feed requests, and `recent` streams until their first success. */
export function backfillHours({ settings }: Pick<AdapterFeed, 'settings'>): number {
  const hours = Number(settings['backfillHours'] ?? defaultBackfillHours)
  return Number.isFinite(hours) && hours >= 0 ? hours : defaultBackfillHours
}

/**
 * Lists the new pull windows of a stream: those that ended since the last enqueued one, or initially those of
 * the configured hours.
 */
export function listNewPullWindows(
  stream: Stream,
  feed: Pick<AdapterFeed, 'settings' | 'timezone'>,
  last: number | null,
  now: number,
): PullWindow[] {
  const { timezone } = feed
  if (last !== null)
    return [
      ...pullWindowsBetween(
        stream.window,
        pullWindowAt(stream.window, last, timezone)?.until ?? now,
        now,
        timezone,
      ),
    ]
  const initial = [
    ...pullWindowsBetween(stream.window, now - Math.max(1, backfillHours(feed)) * hourMs, now, timezone),
  ]
  if (initial.length) return initial
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
    .select(({ fn }) => ['stream', fn.max('window_start').as('last')])
    .where('feed_id', '=', feed.feedId)
    .groupBy('stream')
    .execute()
  const lastStarts = new Map(rows.map(({ stream, last }) => [stream, new Date(last).getTime()]))
  let enqueued = 0
  for (const stream of adapter.streams(feed)) {
    const last = lastStarts.get(stream.name) ?? null
    const isContinuous = stream.window === 'now' || stream.window === 'recent'
    if (isContinuous && last !== null) continue
    const windowStarts = isContinuous
      ? [continuousStart]
      : listNewPullWindows(stream, feed, last, at.getTime()).map(({ from }) => from)
    enqueued += await enqueuePullWindows(state, feed, {
      stream: stream.name,
      windowStarts,
      mode: 'missing',
      at,
    })
  }
  return enqueued
}
