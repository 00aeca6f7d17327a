import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * While batches arrive concurrently, turns start at this interval. Each statement of a turn costs 5 to 10 ms
 * of CPU time and later its share of merges, so with shorter turns a busy server takes longer for each batch.
 */
const turnIntervalMs = 150

/** The next turn starts at the latest after this time, so that a slow batch does not delay all others. */
const maxTurnMs = 1000

/**
 * Starts batches that arrive concurrently at the same time. They pass the same steps together, so the
 * statements of each step are joined (StatementGroups). A batch that arrives alone starts immediately.
 */
export class BatchTurns {
  #waiting: (() => Promise<void>)[] = []
  #isRunning = false

  /** Resolves or rejects as `store` does. */
  run<Result>(store: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const inContext = AsyncLocalStorage.snapshot()
      this.#waiting.push(() => inContext(store).then(resolve, reject))
      if (!this.#isRunning) void this.#runTurns()
    })
  }

  async #runTurns(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length) {
      const startMs = performance.now()
      const turn = this.#waiting
      this.#waiting = []
      await waitAtMost(maxTurnMs, Promise.all(turn.map((start) => start())))
      if (turn.length > 1) await wait(startMs + turnIntervalMs - performance.now())
    }
    this.#isRunning = false
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Resolves when `work` resolves, at the latest after a time (ms). */
async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise((resolve) => (timer = setTimeout(resolve, ms)))
  await Promise.race([work, timeout])
  clearTimeout(timer)
}
