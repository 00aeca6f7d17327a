import { setTimeout as wait } from 'node:timers/promises'

/**
 * Work that no call waits for. All jobs are listed in `server/schedule.ts`.
 *
 * A job reads its tasks from a store, so a later run does what an interrupted one left.
 */
export interface Job<Data extends object = object> {
  name: string
  /** What it does, for administrators. */
  description: string
  /** When and where it runs; without it, it runs once for each `send`. */
  every?: Interval
  /** Concurrent runs in this process (1). Only for jobs that are sent. */
  slots?: number
  /** How often a failed run is repeated, and after how many seconds (doubled each time). Only for queued runs. */
  retries?: { limit: number; delaySeconds: number }
  run(stop: AbortSignal, data: Data): Promise<unknown>
}

/**
 * `each server`: a timer of the process, never two runs at once. `one server`: a run in each interval on one of the servers, through
 * the queue. `isDue` is called before each run and looks at memory only, so that an idle server does not query its stores.
 */
export type Interval =
  | { seconds: number; on: 'each server'; isDue?: () => boolean }
  | { seconds: number; on: 'one server' }

const maxRestMs = 10_000

/** Pauses after a step for as long as the step took, to leave the stores to calls. Ends early when `stop` is aborted. */
export const restAfter = (workedMs: number, stop: AbortSignal): Promise<void> =>
  wait(Math.min(workedMs, maxRestMs), undefined, { signal: stop }).catch(() => undefined)
