/** Requests at a time: of one feed, over all feeds, and of those over all that failed last. */
export const perFeed = 2
export const atOnce = 4
export const ofFailing = 2

/** Whose turn it is: the feed that was served longest ago; feeds that fail never take all places. */
export class PullTurns {
  readonly #running = new Map<string, number>()
  readonly #served = new Map<string, number>()
  readonly #failing = new Set<string>()
  #count = 0

  get running(): number {
    return [...this.#running.values()].reduce((sum, count) => sum + count, 0)
  }

  /** How many more pieces a feed may have under way. */
  #places(feedId: string): number {
    const here = this.#running.get(feedId) ?? 0
    const left = atOnce - this.running
    if (!this.#failing.has(feedId)) return Math.max(0, Math.min(perFeed - here, left))
    const failing = [...this.#running].reduce(
      (sum, [id, count]) => sum + (this.#failing.has(id) ? count : 0),
      0,
    )
    return Math.max(0, Math.min(1 - here, left, ofFailing - failing))
  }

  /** The next feed of those that have something due; null where none may go on. */
  next(due: readonly string[]): string | null {
    const free = due.filter((feedId) => this.#places(feedId) > 0)
    return free.toSorted((a, b) => (this.#served.get(a) ?? 0) - (this.#served.get(b) ?? 0))[0] ?? null
  }

  begin(feedId: string): void {
    this.#running.set(feedId, (this.#running.get(feedId) ?? 0) + 1)
    this.#served.set(feedId, ++this.#count)
  }

  end(feedId: string, how: 'good' | 'failed' | 'stopped'): void {
    const left = (this.#running.get(feedId) ?? 1) - 1
    if (left > 0) this.#running.set(feedId, left)
    else this.#running.delete(feedId)
    if (how === 'good') this.#failing.delete(feedId)
    if (how === 'failed') this.#failing.add(feedId)
  }
}
