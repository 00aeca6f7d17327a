import type { FeedAsked, Piece, Stream } from '#server/ingest/adapters/adapter.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import { backfillHours } from './plan-pull-windows'
import { pullWindowAt, continuousStart } from './pull-window'

/** A piece whose turn has come. */
export interface DuePullWindow {
  stream: string
  /** Its beginning, ms; `standing` for streams without pieces. */
  windowStart: number
  tries: number
  /** Until when a `window` stream is known, ms. */
  known: number | null
}

export const openStatuses = ['wanted', 'waiting', 'failed']
const hour = 3_600_000
/** What was published late is met again in the next window. */
const overlap = 5 * 60_000
/** MDS lets windows begin at most two weeks back. */
const maxWindowMs = 14 * 24 * hour

/** Feeds of a list that have a piece whose turn has come. */
export async function feedsWithDue(
  state: Pick<State, 'as'>,
  feedIds: readonly string[],
  at: Date,
): Promise<string[]> {
  if (!feedIds.length) return []
  const rows = await state
    .as(systemScope)
    .selectFrom('feed_piece')
    .select('feed_id')
    .distinct()
    .where('feed_id', 'in', feedIds)
    .where('status', 'in', openStatuses)
    .where('next_time', '<=', at)
    .execute()
  return rows.map((row) => row.feed_id)
}

/** When the next pull window of some feeds is due after `at`, ms; null: none. */
export async function nextDueTime(
  state: Pick<State, 'as'>,
  feedIds: readonly string[],
  at: Date,
): Promise<number | null> {
  if (!feedIds.length) return null
  const row = await state
    .as(systemScope)
    .selectFrom('feed_piece')
    .select(({ fn }) => fn.min('next_time').as('next'))
    .where('feed_id', 'in', feedIds)
    .where('status', 'in', openStatuses)
    .where('next_time', '>', at)
    .executeTakeFirst()
  return row?.next ? new Date(row.next).getTime() : null
}

/** Pieces of a feed whose turn has come: what changes all the time first, then the newest. */
export async function duePullWindows(
  state: Pick<State, 'as'>,
  feedId: string,
  at: Date,
  maxCount: number,
): Promise<DuePullWindow[]> {
  const rows = await state
    .as(systemScope)
    .selectFrom('feed_piece')
    .select(['stream', 'piece', 'tries', 'done_time'])
    .where('feed_id', '=', feedId)
    .where('status', 'in', openStatuses)
    .where('next_time', '<=', at)
    .orderBy((of) => of('piece', '>', new Date(continuousStart)), 'asc')
    .orderBy('piece', 'desc')
    .orderBy('stream')
    .limit(maxCount)
    .execute()
  return rows.map(({ stream, piece, tries, done_time: done }) => ({
    stream,
    windowStart: piece.getTime(),
    tries,
    known: done?.getTime() ?? null,
  }))
}

/** What is asked for: the hour, day or month; of a stream without pieces what lies between the last success and now. */
export function requestedPullWindow(
  { by }: Stream,
  due: DuePullWindow,
  asked: Pick<FeedAsked, 'settings' | 'timezone'>,
  now: number,
): Piece {
  if (by === 'now') return { from: now, until: now }
  if (by === 'window')
    return {
      from: Math.max(
        now - maxWindowMs,
        due.known === null ? now - Math.max(1, backfillHours(asked)) * hour : due.known - overlap,
      ),
      until: now,
    }
  return pullWindowAt(by, due.windowStart, asked.timezone) ?? { from: due.windowStart, until: now }
}
