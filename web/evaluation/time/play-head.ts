/** Where a playback stands. It moves past React: whoever shows the place listens by himself. */
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

  /** To a bucket; one that is not there is the nearest. */
  moveTo(at: number): void {
    const next = Math.min(Math.max(0, at), Math.max(0, this.count - 1))
    if (next === this.#at) return
    this.#at = next
    for (const listener of this.#listeners) listener()
  }

  /** On by a bucket; after the last comes the first. */
  next(): void {
    this.moveTo(this.#at + 1 >= this.count ? 0 : this.#at + 1)
  }
}
