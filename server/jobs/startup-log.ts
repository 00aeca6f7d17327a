import type { Log } from './log.ts'

/** Faster steps are logged only in the summary. */
const logThresholdMs = 250

/** Measures and logs the steps of the server's start. */
export interface StartupLog {
  step<T>(name: string, work: () => Promise<T> | T): Promise<T>
  /** Logs the total time and that of each step. */
  ready(): void
}

/** Opens the log when the start begins. `now`: ms of a monotonic clock. */
export function openStartupLog(log: Log, now: () => number = () => performance.now()): StartupLog {
  const start = now()
  const steps: Record<string, number> = {}
  return {
    async step(name, work) {
      const stepStart = now()
      try {
        return await work()
      } finally {
        const ms = Math.round(now() - stepStart)
        steps[name] = (steps[name] ?? 0) + ms
        if (ms >= logThresholdMs) log('start', { step: name, ms })
      }
    },
    ready: () => log('ready', { ms: Math.round(now() - start), steps }),
  }
}
