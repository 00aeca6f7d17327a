/** The position of a playback. It is not React state: components that show it subscribe. */
export class PlayHead {
  /** Number of buckets. */
  readonly count: number
  #index: number
  readonly #listeners = new Set<() => void>()

  constructor(count: number, index: number) {
    this.count = count
    this.#index = Math.min(Math.max(0, index), Math.max(0, count - 1))
  }

  readonly read = (): number => this.#index

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Moves to a bucket, or to the nearest existing one. */
  moveTo(index: number): void {
    const next = Math.min(Math.max(0, index), Math.max(0, this.count - 1))
    if (next === this.#index) return
    this.#index = next
    for (const listener of this.#listeners) listener()
  }

  /** Moves to the next bucket; after the last to the first. */
  next(): void {
    this.moveTo(this.#index + 1 >= this.count ? 0 : this.#index + 1)
  }
}
