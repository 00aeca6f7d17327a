import type { Log } from './log.ts'

/** Work that no answer waits for: an asker must not be able to tell by the time whether there was any. */
export interface Background {
  /** Failures are logged under the name. */
  run(name: string, work: () => Promise<void>): void
  /** Once all of it has ended. */
  settled(): Promise<void>
}

export function openBackground(log: Log): Background {
  const running = new Set<Promise<void>>()
  return {
    run(name, work) {
      // In a later turn, so that its beginning costs the answer nothing either.
      const done = new Promise((resolve) => setImmediate(resolve))
        .then(work)
        .catch((error: unknown) =>
          log(name, { error: error instanceof Error ? error.message : String(error) }),
        )
        .finally(() => running.delete(done))
      running.add(done)
    },
    async settled() {
      while (running.size) await Promise.all(running)
    },
  }
}
