import { setTimeout as wait } from 'node:timers/promises'
import { runAsCaller } from '#server/stores/query-counts.ts'
import type { Log } from './log.ts'

/**
 * Work repeated at an interval. It reads its tasks from a store, so interrupted work is done by a later run.
 */
export interface IntervalJob {
  /** Starts the timer. */
  start(): void
  /** Stops the timer and waits until the current step has ended. */
  stop(): Promise<void>
  /** Runs without pauses until no tasks remain except failed ones. */
  idle(): Promise<void>
}

interface IntervalJobOptions {
  /** Name in the log. */
  name: string
  intervalMs: number
  log: Log
  /**
   * Processes the waiting tasks; ends early when `signal` is aborted. Between steps it awaits `pause` with
   * the ms that the last step took.
   */
  run(signal: AbortSignal, pause: (workedMs: number) => Promise<void>): Promise<void>
}

const maxPauseMs = 10_000

/**
 * Creates a job that runs at an interval, never twice at once. It pauses for as long as it works, unless
 * `idle` waits for it, to leave the stores to calls.
 */
export function createIntervalJob({ name, intervalMs, log, run }: IntervalJobOptions): IntervalJob {
  const stopping = new AbortController()
  let pauseAbort = new AbortController()
  let idleWaiters = 0
  let running: Promise<void> | null = null
  let timer: ReturnType<typeof setInterval> | null = null

  const pause = async (workedMs: number): Promise<void> => {
    if (!idleWaiters)
      await wait(Math.min(workedMs, maxPauseMs), undefined, {
        signal: AbortSignal.any([stopping.signal, pauseAbort.signal]),
      }).catch(() => undefined)
  }
  const runOnce = (): Promise<void> =>
    (running ??= runAsCaller(name, () => run(stopping.signal, pause)).finally(() => (running = null)))

  return {
    start() {
      timer ??= setInterval(
        () =>
          void runOnce().catch((error: unknown) =>
            log(name, { error: error instanceof Error ? error.message : String(error) }),
          ),
        intervalMs,
      )
    },
    async stop() {
      stopping.abort()
      if (timer) clearInterval(timer)
      timer = null
      await running?.catch(() => undefined)
    },
    async idle() {
      idleWaiters++
      pauseAbort.abort()
      try {
        await running?.catch(() => undefined)
        await runOnce()
      } finally {
        if (--idleWaiters === 0) pauseAbort = new AbortController()
      }
    },
  }
}
