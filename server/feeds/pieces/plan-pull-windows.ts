import type { Adapter, FeedAsked, Piece, Stream } from '#server/ingest/adapters/adapter.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import { pullWindowAt, pullWindowsBetween, continuousStart } from './pull-window'
import { enqueuePullWindows } from './enqueue-pull-windows'

const hour = 3_600_000
const usualBackfillHours = 24

/** Hours that a feed goes back at its start, and `window` streams as long as they had no answer. */
export function backfillHours({ settings }: Pick<FeedAsked, 'settings'>): number {
  const hours = Number(settings['backfillHours'] ?? usualBackfillHours)
  return Number.isFinite(hours) && hours >= 0 ? hours : usualBackfillHours
}

/** The pieces of a stream that are new: those over since the last known, or at first those of the hours before. */
export function newPullWindows(
  stream: Stream,
  asked: Pick<FeedAsked, 'settings' | 'timezone'>,
  last: number | null,
  now: number,
): Piece[] {
  const { timezone } = asked
  if (last !== null)
    return [
      ...pullWindowsBetween(stream.by, pullWindowAt(stream.by, last, timezone)?.until ?? now, now, timezone),
    ]
  const found = [
    ...pullWindowsBetween(stream.by, now - Math.max(1, backfillHours(asked)) * hour, now, timezone),
  ]
  if (found.length) return found
  // The last that is over, so that the next ones follow it.
  const present = pullWindowAt(stream.by, now, timezone)
  const before = present && pullWindowAt(stream.by, present.from - 1, timezone)
  return before ? [before] : []
}

/** Wants what is new of every stream of a feed, and gives streams without pieces their place. Answers how many are new. */
export async function planPullWindows(
  state: Pick<State, 'as'>,
  adapter: Adapter,
  asked: FeedAsked,
  at: Date,
): Promise<number> {
  const rows = await state
    .as(systemScope)
    .selectFrom('feed_piece')
    .select(({ fn }) => ['stream', fn.max('piece').as('last')])
    .where('feed_id', '=', asked.feedId)
    .groupBy('stream')
    .execute()
  const lasts = new Map(rows.map(({ stream, last }) => [stream, new Date(last).getTime()]))
  let made = 0
  for (const stream of adapter.streams(asked)) {
    const last = lasts.get(stream.name) ?? null
    const isContinuous = stream.by === 'now' || stream.by === 'window'
    if (isContinuous && last !== null) continue
    const windowStarts = isContinuous
      ? [continuousStart]
      : newPullWindows(stream, asked, last, at.getTime()).map(({ from }) => from)
    made += await enqueuePullWindows(state, asked, stream.name, windowStarts, at, 'missing')
  }
  return made
}
