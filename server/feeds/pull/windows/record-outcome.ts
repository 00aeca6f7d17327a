import type { Stream } from '../../adapters/adapter.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { DuePullWindow } from './due-pull-windows.ts'
import { continuousStart } from './pull-window.ts'
import { retryDelay } from './retry-delay.ts'

const minuteMs = 60_000

/** The maximum retry delay for continuous streams. */
const maxContinuousRetryMs = 10 * minuteMs
/** The maximum retry delay for data that are not ready yet. */
const maxNotReadyRetryMs = 15 * minuteMs

/** The result of a pull. */
export interface Outcome {
  status: 'done' | 'nothing' | 'waiting' | 'failed'
  records: number
  /** The time of the newest record, ms; null if none has a time. */
  newest: number | null
  /** The reason for a failure, for the administrator. */
  problem: string | null
  /** The delay that the operator's server requests, ms; null if it requests none. */
  retryAfter: number | null
}

interface RecordedPull {
  feedId: string
  stream: Stream
  due: DuePullWindow
  /** The end of the requested range, ms. */
  until: number
  everySeconds: number
  at: Date
}

/** Names a pull window by its stream and its start in the region's time zone. */
const describePullWindow = (stream: string, windowStart: number, timeZone: string): string =>
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

/** Records the outcome of a pull. The problem of the feed becomes that of its newest failed pull window. */
export async function recordOutcome(
  state: Pick<State, 'as'>,
  { feedId, stream, due, until, everySeconds, at }: RecordedPull,
  outcome: Outcome,
): Promise<void> {
  const isContinuous = due.windowStart === continuousStart
  const hasSucceeded = outcome.status === 'done' || outcome.status === 'nothing'
  const tries = hasSucceeded ? 0 : due.tries + 1
  const maxRetryMs = isContinuous
    ? maxContinuousRetryMs
    : outcome.status === 'waiting'
      ? maxNotReadyRetryMs
      : undefined
  const delayMs = hasSucceeded
    ? Math.max(everySeconds * 1000, outcome.retryAfter ?? 0)
    : retryDelay(tries, outcome.retryAfter, Math.random, maxRetryMs)
  await state
    .as(systemScope)
    .transaction()
    .execute(async (store) => {
      await store
        .updateTable('pull_window')
        .set({
          // A continuous stream is never done.
          status: hasSucceeded && isContinuous ? 'waiting' : outcome.status,
          tries,
          next_time: new Date(at.getTime() + delayMs),
          problem: outcome.problem,
          ...(hasSucceeded
            ? { records: outcome.records, done_time: isContinuous ? new Date(until) : at }
            : {}),
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
          ...(hasSucceeded ? { last_success_time: at } : {}),
          ...(newest > 0
            ? {
                last_record_time: new Date(
                  Math.min(newest, Math.max(at.getTime(), feed.last_record_time?.getTime() ?? 0)),
                ),
              }
            : {}),
          problem: failed
            ? `${describePullWindow(failed.stream, failed.window_start.getTime(), feed.timezone)}: ${failed.problem ?? 'it failed.'}`
            : null,
          problem_since: failed ? (feed.problem_since ?? at) : null,
        })
        .where('feed_id', '=', feedId)
        .execute()
    })
}
