import { LRUCache } from 'lru-cache'
import type { TableChanges } from './changes.ts'
import type { Scope } from './scope.ts'

interface CacheEntry<Value> {
  value: Promise<Value>
  /** Number of writes to the tables before the read. */
  changeCount: number
  /** On the clock of `nowMs`. */
  expiresMs: number
}

interface CacheOptions {
  changes: TableChanges
  /** The tables from which the values are read; a write to one of them invalidates all values. */
  tables: readonly string[]
  /** Maximum age, ms: limits how long a missed write of another process can matter. */
  ttlMs: number
  maxEntries: number
  nowMs: () => number
}

/** Caches values of the state store by key until their tables change or they expire. Null is not cached. */
export class InvalidatingCache<Value> {
  readonly #options: CacheOptions
  readonly #entries: LRUCache<string, CacheEntry<Value>>
  constructor(options: CacheOptions) {
    this.#options = options
    this.#entries = new LRUCache({ max: options.maxEntries })
  }

  get(key: string, read: () => Promise<Value>): Promise<Value> {
    const { changes, tables, ttlMs, nowMs } = this.#options
    const changeCount = changes.countFor(tables)
    const cached = this.#entries.get(key)
    if (cached?.changeCount === changeCount && nowMs() < cached.expiresMs) return cached.value
    const entry: CacheEntry<Value> = { value: read(), changeCount, expiresMs: nowMs() + ttlMs }
    this.#entries.set(key, entry)
    const removeEntry = (): void => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key)
    }
    entry.value.then((value) => {
      if (value === null) removeEntry()
    }, removeEntry)
    return entry.value
  }
}

/** An `InvalidatingCache` per Scope: what one viewer may see is never returned to another. */
export class ScopedCache<Value> {
  readonly #options: CacheOptions
  readonly #caches = new WeakMap<Scope, InvalidatingCache<Value>>()
  constructor(options: CacheOptions) {
    this.#options = options
  }

  get(scope: Scope, key: string, read: () => Promise<Value>): Promise<Value> {
    const cache = this.#caches.get(scope) ?? new InvalidatingCache<Value>(this.#options)
    this.#caches.set(scope, cache)
    return cache.get(key, read)
  }
}

const shortCacheMs = 5000

/** Returns a function that returns a store's `ScopedCache` of small values that nearly every call reads. */
export function cachePerStore<Value>(
  tables: readonly string[],
): (changes: TableChanges) => ScopedCache<Value> {
  const caches = new WeakMap<TableChanges, ScopedCache<Value>>()
  return (changes) => {
    const options = { changes, tables, ttlMs: shortCacheMs, maxEntries: 100, nowMs: () => performance.now() }
    const cache = caches.get(changes) ?? new ScopedCache<Value>(options)
    caches.set(changes, cache)
    return cache
  }
}
