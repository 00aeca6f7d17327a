/** The maximum number of concurrent pulls of a feed. A feed with a failed last pull has at most one. */
export const maxPullsPerFeed = 2
/** The maximum number of concurrent pulls of all feeds. */
export const maxPulls = 4
/** The maximum number of concurrent pulls of feeds with a failed last pull. */
const maxFailingPulls = 2

/** How a pull ended. An aborted one says nothing about its feed. */
export type PullEnd = 'succeeded' | 'failed' | 'aborted'

/** Assigns the slots for concurrent pulls to feeds in turn. Failing feeds can never occupy all of them. */
export class PullSlots {
  /** The number of running pulls by feed. */
  readonly #running = new Map<string, number>()
  /** The number of the last pull of each feed, which orders feeds by when they last got a slot. */
  readonly #lastServed = new Map<string, number>()
  readonly #failing = new Set<string>()
  #pullCount = 0

  get running(): number {
    return [...this.#running.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Returns the number of further pulls of a feed that may start. */
  #countFreeSlots(feedId: string): number {
    const runningOfFeed = this.#running.get(feedId) ?? 0
    const freeInTotal = maxPulls - this.running
    if (!this.#failing.has(feedId)) return Math.max(0, Math.min(maxPullsPerFeed - runningOfFeed, freeInTotal))
    const runningOfFailing = [...this.#running].reduce(
      (sum, [id, count]) => sum + (this.#failing.has(id) ? count : 0),
      0,
    )
    return Math.max(0, Math.min(1 - runningOfFeed, freeInTotal, maxFailingPulls - runningOfFailing))
  }

  /** Chooses the feed that was served longest ago; null if no pull of these feeds may start. */
  next(dueFeedIds: readonly string[]): string | null {
    const candidates = dueFeedIds.filter((feedId) => this.#countFreeSlots(feedId) > 0)
    const getLastServed = (feedId: string): number => this.#lastServed.get(feedId) ?? 0
    return candidates.toSorted((a, b) => getLastServed(a) - getLastServed(b))[0] ?? null
  }

  begin(feedId: string): void {
    this.#running.set(feedId, (this.#running.get(feedId) ?? 0) + 1)
    this.#lastServed.set(feedId, ++this.#pullCount)
  }

  end(feedId: string, result: PullEnd): void {
    const remaining = (this.#running.get(feedId) ?? 1) - 1
    if (remaining > 0) this.#running.set(feedId, remaining)
    else this.#running.delete(feedId)
    if (result === 'succeeded') this.#failing.delete(feedId)
    if (result === 'failed') this.#failing.add(feedId)
  }
}
