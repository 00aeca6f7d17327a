import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from './log.ts'

/** Work in the background that is written down: what is cut off is done again. */
export interface IntervalJob {
  /** Looks again and again. */
  start(): void
  /** Ends after the portion under way; the rest stays written down. */
  stop(): Promise<void>
  /** Once nothing waits but what failed. */
  idle(): Promise<void>
}

interface IntervalJobOptions {
  /** Whose errors the log tells. */
  name: string
  intervalMs: number
  log: Log
  /** Works off what waits. Ends early where `signal` is aborted. Between two portions it awaits `rest`, given the ms that the last took. */
  run(signal: AbortSignal, rest: (workedMs: number) => Promise<void>): Promise<void>
}

const maxPauseMs = 10_000

/** Runs something every so often, never twice at once. It rests as long as it works, but for who waits for it: the engine is others' as well. */
export function createIntervalJob({ name, intervalMs: everyMs, log, run }: IntervalJobOptions): IntervalJob {
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
    (running ??= run(stopping.signal, pause).finally(() => (running = null)))

  return {
    start() {
      timer ??= setInterval(
        () =>
          void runOnce().catch((error: unknown) =>
            log(name, { error: error instanceof Error ? error.message : String(error) }),
          ),
        everyMs,
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
