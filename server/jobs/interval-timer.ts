interface TimerOptions {
  seconds: number
  /** Whether to run in the middle of each interval since 1970, instead of at intervals since the start. */
  isAligned: boolean
  /** Called before each scheduled run, which is skipped unless it is true. */
  isDue?: () => boolean
  now: () => Date
  /** Must not reject. */
  run: () => Promise<void>
}

/** Runs a function at start and then at an interval. Runs never overlap. */
export class IntervalTimer {
  readonly #options: TimerOptions
  #timer: NodeJS.Timeout | null = null
  #nextRun: Date | null = null
  #running: Promise<void> | null = null
  #isStarted = false
  /** A run was requested while another one was in progress. */
  #mustRepeat = false

  constructor(options: TimerOptions) {
    this.#options = options
  }

  /** The time of the next run; null if the timer is stopped, or if `isDue` decides. */
  get nextRun(): Date | null {
    return this.#options.isDue ? null : this.#nextRun
  }

  start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    this.#tick()
  }

  stop(): void {
    this.#isStarted = false
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#nextRun = null
    this.#mustRepeat = false
  }

  /** Runs even if nothing is due, after the run that is in progress if there is one. */
  runNow(): void {
    if (this.#running) this.#mustRepeat = true
    else this.#run()
  }

  #tick(): void {
    this.#schedule()
    if (!this.#running && (this.#options.isDue?.() ?? true)) this.#run()
  }

  #run(): void {
    this.#running = this.#options.run().finally(() => {
      this.#running = null
      if (!this.#mustRepeat) return
      this.#mustRepeat = false
      this.#run()
    })
  }

  #schedule(): void {
    const { seconds, isAligned, now } = this.#options
    const intervalMs = seconds * 1000
    const at = now().getTime()
    const waitMs = isAligned ? intervalMs - ((at + intervalMs / 2) % intervalMs) : intervalMs
    this.#nextRun = new Date(at + waitMs)
    this.#timer = setTimeout(() => this.#tick(), waitMs).unref()
  }
}
