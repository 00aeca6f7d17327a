/** Runs something of a name at most once in a while: now if the last time is long ago, else once it is. */
export class Throttle {
  private readonly last = new Map<string, number>()
  private readonly timers = new Map<string, NodeJS.Timeout>()
  private readonly everyMs: number
  private readonly now: () => number

  constructor(everyMs: number, now: () => number) {
    this.everyMs = everyMs
    this.now = now
  }

  run(name: string, work: () => Promise<void>): void {
    if (this.timers.has(name)) return
    const wait = Math.max(0, (this.last.get(name) ?? 0) + this.everyMs - this.now())
    const go = (): void => {
      this.timers.delete(name)
      this.last.set(name, this.now())
      void work()
    }
    if (wait === 0) go()
    else this.timers.set(name, setTimeout(go, wait).unref())
  }

  /** What waits is not run any more. */
  close(): void {
    for (const timer of this.timers.values()) clearTimeout(timer)
    this.timers.clear()
  }
}
