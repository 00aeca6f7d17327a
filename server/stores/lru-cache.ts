/** The most recently used values by key, at most `most` of them. */
export class LruCache<Value> {
  readonly #values = new Map<string, Value>()
  readonly #maxEntries: number
  readonly #onEvict: (key: string, value: Value) => void
  constructor(most: number, dropped: (key: string, value: Value) => void = () => undefined) {
    this.#maxEntries = most
    this.#onEvict = dropped
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key)
    if (value !== undefined) {
      this.#values.delete(key)
      this.#values.set(key, value)
    }
    return value
  }

  set(key: string, value: Value): void {
    this.#values.delete(key)
    this.#values.set(key, value)
    for (const [oldest, old] of this.#values) {
      if (this.#values.size <= this.#maxEntries) break
      this.#values.delete(oldest)
      this.#onEvict(oldest, old)
    }
  }

  /** The least recently used first. */
  entries(): IterableIterator<[string, Value]> {
    return this.#values.entries()
  }

  delete(key: string): void {
    this.#values.delete(key)
  }

  /** The value, or what `make` promises; two askers at once share one making, and a failed one is forgotten. */
  getOrCreate<Made>(this: LruCache<Promise<Made>>, key: string, make: () => Promise<Made>): Promise<Made> {
    const kept = this.get(key)
    if (kept) return kept
    const made = make()
    this.set(key, made)
    made.catch(() => this.delete(key))
    return made
  }
}
