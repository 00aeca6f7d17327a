import { getErrorMessage } from '#contract/problem-text.ts'
import type { Log } from './log.ts'

/** Work that no response waits for, so that response times do not reveal whether there was any. */
export interface Background {
  /** Runs work; failures are logged under the name. */
  run(name: string, work: () => Promise<void>): void
  /** Resolves when all work has ended. */
  settled(): Promise<void>
}

/** Opens a runner of background work. */
export function openBackground(log: Log): Background {
  const running = new Set<Promise<void>>()
  return {
    run(name, work) {
      // Started in a later turn of the event loop, so that it does not delay the response.
      const done = new Promise((resolve) => setImmediate(resolve))
        .then(work)
        .catch((error: unknown) => log(name, { error: getErrorMessage(error) }))
        .finally(() => running.delete(done))
      running.add(done)
    },
    async settled() {
      while (running.size) await Promise.all(running)
    },
  }
}
