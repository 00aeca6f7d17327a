import type { Stream } from '../../adapters/adapter.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { DuePullWindow } from './due-pull-windows.ts'
import { continuousStart } from './pull-window.ts'
import { retryWait } from './retry-wait.ts'

const minute = 60_000

/** The maximum for continuous streams. */
const maxContinuousRetryMs = 10 * minute
/** The maximum for data that will be ready soon. */
const maxNotReadyRetryMs = 15 * minute

/** The result of a pull. */
export interface Outcome {
  status: 'done' | 'nothing' | 'waiting' | 'failed'
  records: number
  /** Time of the newest record, ms; null if none has a time. */
  newest: number | null
  /** Why it failed, for the administrator. */
  problem: string | null
  /** Ms that the operator's server asks us to wait. */
  retryAfter: number | null
}

interface RecordedPull {
  feedId: string
  stream: Stream
  due: DuePullWindow
  /** The end of the requested range, ms: the stream is known until then. */
  until: number
  everySeconds: number
  at: Date
}

/** The name of a pull window in the feed's problem, in the region's time. */
const nameOf = (stream: string, windowStart: number, timeZone: string): string =>
  windowStart === continuousStart
    ? stream
    : `${stream} of ${new Intl.DateTimeFormat('en-US', {
        year: 'numeric',
        month: 'short',
        day: 'numeric',
        hour: 'numeric',
        minute: '2-digit',
        timeZone,
        timeZoneName: 'short',
      }).format(windowStart)}`

/** Records the result of a pull, and the problem of the feed: that of its newest failed pull window. */
export async function recordOutcome(
  state: Pick<State, 'as'>,
  { feedId, stream, due, until, everySeconds, at }: RecordedPull,
  outcome: Outcome,
): Promise<void> {
  const isContinuous = due.windowStart === continuousStart
  const isGood = outcome.status === 'done' || outcome.status === 'nothing'
  const tries = isGood ? 0 : due.tries + 1
  const maxRetryMs = isContinuous
    ? maxContinuousRetryMs
    : outcome.status === 'waiting'
      ? maxNotReadyRetryMs
      : undefined
  const wait = isGood
    ? Math.max(everySeconds * 1000, outcome.retryAfter ?? 0)
    : retryWait(tries, outcome.retryAfter, Math.random, maxRetryMs)
  await state
    .as(systemScope)
    .transaction()
    .execute(async (store) => {
      await store
        .updateTable('pull_window')
        .set({
          // A continuous stream is never done: it becomes due again.
          status: isGood && isContinuous ? 'waiting' : outcome.status,
          tries,
          next_time: new Date(at.getTime() + wait),
          problem: outcome.problem,
          ...(isGood ? { records: outcome.records, done_time: isContinuous ? new Date(until) : at } : {}),
        })
        .where('feed_id', '=', feedId)
        .where('stream', '=', stream.name)
        .where('window_start', '=', new Date(due.windowStart))
        .execute()
      const feed = await store
        .selectFrom('feed')
        .innerJoin('region', 'region.region_id', 'feed.region_id')
        .select(['feed.last_record_time', 'feed.problem_since', 'region.timezone'])
        .where('feed.feed_id', '=', feedId)
        .executeTakeFirst()
      if (!feed) return
      const failed = await store
        .selectFrom('pull_window')
        .select(['stream', 'window_start', 'problem'])
        .where('feed_id', '=', feedId)
        .where('status', '=', 'failed')
        .orderBy('window_start', 'desc')
        .limit(1)
        .executeTakeFirst()
      const newest = Math.max(outcome.newest ?? 0, feed.last_record_time?.getTime() ?? 0)
      await store
        .updateTable('feed')
        .set({
          last_attempt_time: at,
          ...(isGood ? { last_success_time: at } : {}),
          ...(newest > 0
            ? {
                last_record_time: new Date(
                  Math.min(newest, Math.max(at.getTime(), feed.last_record_time?.getTime() ?? 0)),
                ),
              }
            : {}),
          problem: failed
            ? `${nameOf(failed.stream, failed.window_start.getTime(), feed.timezone)}: ${failed.problem ?? 'it failed.'}`
            : null,
          problem_since: failed ? (feed.problem_since ?? at) : null,
        })
        .where('feed_id', '=', feedId)
        .execute()
    })
}
