/** The position of a playback. It is not React state: components that show it subscribe. */
export class PlayHead {
  readonly count: number
  #at: number
  readonly #listeners = new Set<() => void>()

  constructor(count: number, at: number) {
    this.count = count
    this.#at = Math.min(Math.max(0, at), Math.max(0, count - 1))
  }

  readonly read = (): number => this.#at

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Moves to a bucket, or to the nearest existing one. */
  moveTo(at: number): void {
    const next = Math.min(Math.max(0, at), Math.max(0, this.count - 1))
    if (next === this.#at) return
    this.#at = next
    for (const listener of this.#listeners) listener()
  }

  /** Moves to the next bucket; after the last to the first. */
  next(): void {
    this.moveTo(this.#at + 1 >= this.count ? 0 : this.#at + 1)
  }
}
