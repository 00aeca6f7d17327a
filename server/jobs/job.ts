import { setTimeout as wait } from 'node:timers/promises'

/**
 * Background work. All jobs are listed in `server/schedule.ts`.
 *
 * A job reads its tasks from a store, so the next run continues where an interrupted one ended.
 */
export interface Job<Data extends object = object> {
  name: string
  /** What it does, for administrators. */
  description: string
  /** When and where the job runs. A job without interval runs once for each `send`. */
  every?: Interval
  /** The number of concurrent runs in this process, 1 by default. Only for jobs that are sent. */
  slots?: number
  /** How often a failed queued run is repeated, and after how many seconds (doubled each time). */
  retries?: { limit: number; delaySeconds: number }
  run(stop: AbortSignal, data: Data): Promise<unknown>
}

/**
 * `each server`: a timer of the process; runs never overlap. `one server`: one run per interval on any of the
 * servers, through the queue. `isDue` is called before each run and must use memory only, so that an idle
 * server does not query its stores.
 */
export type Interval =
  | { seconds: number; on: 'each server'; isDue?: () => boolean }
  | { seconds: number; on: 'one server' }

/** The maximum pause between two steps. */
const maxPauseMs = 10_000

/** Pauses for as long as a step took, to leave the stores to requests. Ends early if `stop` is aborted. */
export const pauseAfter = (workedMs: number, stop: AbortSignal): Promise<void> =>
  wait(Math.min(workedMs, maxPauseMs), undefined, { signal: stop }).catch(() => undefined)
