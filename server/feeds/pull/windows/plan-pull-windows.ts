import type { Adapter, AdapterFeed, PullWindow, Stream } from '../../adapters/adapter.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import { pullWindowAt, pullWindowsBetween, continuousStart } from './pull-window.ts'
import { enqueuePullWindows } from './enqueue-pull-windows.ts'

const hour = 3_600_000
const defaultBackfillHours = 24

/** Hours that a new feed goes back, and `window` streams while they have no success. */
export function backfillHours({ settings }: Pick<AdapterFeed, 'settings'>): number {
  const hours = Number(settings['backfillHours'] ?? defaultBackfillHours)
  return Number.isFinite(hours) && hours >= 0 ? hours : defaultBackfillHours
}

/** The new pull windows of a stream: those completed since the last known one, or at first those of the configured hours. */
export function newPullWindows(
  stream: Stream,
  feed: Pick<AdapterFeed, 'settings' | 'timezone'>,
  last: number | null,
  now: number,
): PullWindow[] {
  const { timezone } = feed
  if (last !== null)
    return [
      ...pullWindowsBetween(stream.by, pullWindowAt(stream.by, last, timezone)?.until ?? now, now, timezone),
    ]
  const found = [
    ...pullWindowsBetween(stream.by, now - Math.max(1, backfillHours(feed)) * hour, now, timezone),
  ]
  if (found.length) return found
  // The last complete one, so that the next ones follow it.
  const present = pullWindowAt(stream.by, now, timezone)
  const before = present && pullWindowAt(stream.by, present.from - 1, timezone)
  return before ? [before] : []
}

/** Enqueues the new pull windows of every stream of a feed, and a single one for continuous streams. Returns the number of new ones. */
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
  const lasts = new Map(rows.map(({ stream, last }) => [stream, new Date(last).getTime()]))
  let made = 0
  for (const stream of adapter.streams(feed)) {
    const last = lasts.get(stream.name) ?? null
    const isContinuous = stream.by === 'now' || stream.by === 'window'
    if (isContinuous && last !== null) continue
    const windowStarts = isContinuous
      ? [continuousStart]
      : newPullWindows(stream, feed, last, at.getTime()).map(({ from }) => from)
    made += await enqueuePullWindows(state, feed, stream.name, windowStarts, at, 'missing')
  }
  return made
}
