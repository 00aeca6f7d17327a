import type { Log } from './log.ts'

/** A step that takes less is not logged by itself. */
const logThresholdMs = 250

/** Measures the steps of a start, so that the log says what a slow one does. */
export interface StartupLog {
  step<T>(name: string, work: () => Promise<T> | T): Promise<T>
  /** Logs the whole time with its steps. */
  ready(): void
}

/** `now`: ms of any clock that does not go back. */
export function openStartupLog(log: Log, now: () => number = () => performance.now()): StartupLog {
  const start = now()
  const steps: Record<string, number> = {}
  return {
    async step(name, work) {
      const from = now()
      try {
        return await work()
      } finally {
        const ms = Math.round(now() - from)
        steps[name] = (steps[name] ?? 0) + ms
        if (ms >= logThresholdMs) log('start', { step: name, ms })
      }
    },
    ready: () => log('ready', { ms: Math.round(now() - start), steps }),
  }
}
