/** Runs work at most once per interval and name: immediately if the interval is over, else when it ends. */
export class Throttle {
  /** The start of the last run by name, ms. */
  readonly #lastStarts = new Map<string, number>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #intervalMs: number
  readonly #nowMs: () => number

  constructor(intervalMs: number, nowMs: () => number) {
    this.#intervalMs = intervalMs
    this.#nowMs = nowMs
  }

  run(name: string, work: () => Promise<void>): void {
    if (this.#timers.has(name)) return
    const waitMs = Math.max(0, (this.#lastStarts.get(name) ?? 0) + this.#intervalMs - this.#nowMs())
    const start = (): void => {
      this.#timers.delete(name)
      this.#lastStarts.set(name, this.#nowMs())
      void work()
    }
    if (waitMs === 0) start()
    else this.#timers.set(name, setTimeout(start, waitMs).unref())
  }

  /** Cancels waiting work. */
  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }
}
