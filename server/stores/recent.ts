/** The most recently used values by key, at most `most` of them. */
export class Recent<Value> {
  readonly #values = new Map<string, Value>()
  readonly #most: number
  readonly #dropped: (key: string, value: Value) => void
  constructor(most: number, dropped: (key: string, value: Value) => void = () => undefined) {
    this.#most = most
    this.#dropped = dropped
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
      if (this.#values.size <= this.#most) break
      this.#values.delete(oldest)
      this.#dropped(oldest, old)
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
  getOrMake<Made>(this: Recent<Promise<Made>>, key: string, make: () => Promise<Made>): Promise<Made> {
    const kept = this.get(key)
    if (kept) return kept
    const made = make()
    this.set(key, made)
    made.catch(() => this.delete(key))
    return made
  }
}
