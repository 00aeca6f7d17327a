import { minuteMs } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { Stream } from '../../adapters/adapter.ts'
import type { DuePullWindow } from './due-pull-windows.ts'
import { continuousStart } from './pull-window.ts'
import { getRetryDelay } from './retry-delay.ts'

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

/** A pull that has ended. */
interface RecordedPull {
  feedId: string
  stream: Stream
  due: DuePullWindow
  /** The end of the requested range, ms. */
  until: number
  everySeconds: number
  at: Date
}

/** Describes a pull window by its stream and its start in the region's time zone. */
function describePullWindow(stream: string, windowStart: number, timeZone: string): string {
  if (windowStart === continuousStart) return stream
  const format = new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  })
  return `${stream} of ${format.format(windowStart)}`
}

/** Records the outcome of a pull. The problem of the feed becomes that of its newest failed pull window. */
export async function recordOutcome(
  state: Pick<State, 'as'>,
  pull: RecordedPull,
  outcome: Outcome,
): Promise<void> {
  await state
    .as(systemScope)
    .transaction()
    .execute(async (store) => {
      await updatePullWindow(store, pull, outcome)
      await updateFeed(store, pull, outcome)
    })
}

const hasSucceeded = ({ status }: Outcome): boolean => status === 'done' || status === 'nothing'

/** Returns the delay until the next pull of the window, ms. */
function getNextPullDelay({ due, everySeconds }: RecordedPull, outcome: Outcome): number {
  if (hasSucceeded(outcome)) return Math.max(everySeconds * 1000, outcome.retryAfter ?? 0)
  const notReadyMs = outcome.status === 'waiting' ? maxNotReadyRetryMs : undefined
  const maxRetryMs = due.windowStart === continuousStart ? maxContinuousRetryMs : notReadyMs
  return getRetryDelay(due.tries + 1, outcome.retryAfter, Math.random, maxRetryMs)
}

async function updatePullWindow(store: Store, pull: RecordedPull, outcome: Outcome): Promise<void> {
  const { feedId, stream, due, until, at } = pull
  const isContinuous = due.windowStart === continuousStart
  const isDone = hasSucceeded(outcome)
  await store
    .updateTable('pull_window')
    .set({
      // A continuous stream is never done.
      status: isDone && isContinuous ? 'waiting' : outcome.status,
      tries: isDone ? 0 : due.tries + 1,
      next_time: new Date(at.getTime() + getNextPullDelay(pull, outcome)),
      problem: outcome.problem,
      ...(isDone ? { records: outcome.records, done_time: isContinuous ? new Date(until) : at } : {}),
    })
    .where('feed_id', '=', feedId)
    .where('stream', '=', stream.name)
    .where('window_start', '=', new Date(due.windowStart))
    .execute()
}

/** Updates the state of a feed after a pull: its newest record, and since when it has failed. */
async function updateFeed(store: Store, { feedId, at }: RecordedPull, outcome: Outcome): Promise<void> {
  const feed = await store
    .selectFrom('feed')
    .innerJoin('region', 'region.region_id', 'feed.region_id')
    .select(['feed.last_record_time', 'feed.problem_since', 'region.timezone'])
    .where('feed.feed_id', '=', feedId)
    .executeTakeFirst()
  if (!feed) return
  const failedWindow = await store
    .selectFrom('pull_window')
    .select(['stream', 'window_start', 'problem'])
    .where('feed_id', '=', feedId)
    .where('status', '=', 'failed')
    .orderBy('window_start', 'desc')
    .limit(1)
    .executeTakeFirst()
  // Zero: no record has a time.
  const lastRecordTime = feed.last_record_time?.getTime() ?? 0
  const newestTime = Math.max(outcome.newest ?? 0, lastRecordTime)
  await store
    .updateTable('feed')
    .set({
      last_attempt_time: at,
      ...(hasSucceeded(outcome) ? { last_success_time: at } : {}),
      // A record from the future counts as one of now.
      ...(newestTime > 0
        ? { last_record_time: new Date(Math.min(newestTime, Math.max(at.getTime(), lastRecordTime))) }
        : {}),
      problem: failedWindow
        ? `${describePullWindow(failedWindow.stream, failedWindow.window_start.getTime(), feed.timezone)}: ${failedWindow.problem ?? 'it failed.'}`
        : null,
      problem_since: failedWindow ? (feed.problem_since ?? at) : null,
    })
    .where('feed_id', '=', feedId)
    .execute()
}
