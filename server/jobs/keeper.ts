import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from './log.ts'

/** Work in the background that is written down: what is cut off is done again. */
export interface Keeper {
  /** Looks again and again. */
  start(): void
  /** Ends after the portion under way; the rest stays written down. */
  stop(): Promise<void>
  /** Once nothing waits but what failed. */
  idle(): Promise<void>
}

interface Kept {
  /** Whose errors the log tells. */
  name: string
  everyMs: number
  log: Log
  /** Works off what waits. Ends early where `signal` is aborted. Between two portions it awaits `rest`, given the ms that the last took. */
  run(signal: AbortSignal, rest: (workedMs: number) => Promise<void>): Promise<void>
}

const longestRestMs = 10_000

/** Runs something every so often, never twice at once. It rests as long as it works, but for who waits for it: the engine is others' as well. */
export function keep({ name, everyMs, log, run }: Kept): Keeper {
  const stopping = new AbortController()
  let resting = new AbortController()
  let hurrying = 0
  let running: Promise<void> | null = null
  let timer: ReturnType<typeof setInterval> | null = null

  const rest = async (workedMs: number): Promise<void> => {
    if (!hurrying)
      await wait(Math.min(workedMs, longestRestMs), undefined, {
        signal: AbortSignal.any([stopping.signal, resting.signal]),
      }).catch(() => undefined)
  }
  const runOnce = (): Promise<void> =>
    (running ??= run(stopping.signal, rest).finally(() => (running = null)))

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
      hurrying++
      resting.abort()
      try {
        await running?.catch(() => undefined)
        await runOnce()
      } finally {
        if (--hurrying === 0) resting = new AbortController()
      }
    },
  }
}
