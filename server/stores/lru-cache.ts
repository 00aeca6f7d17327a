/** Caches at most `maxEntries` values by key and evicts the least recently used. */
export class LruCache<Value> {
  readonly #values = new Map<string, Value>()
  readonly #maxEntries: number
  readonly #onEvict: (key: string, value: Value) => void
  constructor(maxEntries: number, onEvict: (key: string, value: Value) => void = () => undefined) {
    this.#maxEntries = maxEntries
    this.#onEvict = onEvict
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

  /** Entries, least recently used first. */
  entries(): IterableIterator<[string, Value]> {
    return this.#values.entries()
  }

  delete(key: string): void {
    this.#values.delete(key)
  }

  /**
   * The cached value, or else the one that `create` promises. Concurrent calls share one promise; a failed
   * one is dropped.
   */
  getOrCreate<Created>(
    this: LruCache<Promise<Created>>,
    key: string,
    create: () => Promise<Created>,
  ): Promise<Created> {
    const cached = this.get(key)
    if (cached) return cached
    const created = create()
    this.set(key, created)
    created.catch(() => this.delete(key))
    return created
  }
}
