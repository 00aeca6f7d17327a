import { LRUCache } from 'lru-cache'

type Compute<Value> = () => Promise<Value>

/** At most `max` values, or values with at most `maxSize` as the sum of their sizes. */
type Limit<Value> = { max: number } | { maxSize: number; getSize: (value: Value) => number }

/**
 * Caches computed values and evicts the least recently used. Concurrent calls with one key share one
 * computation. Failures are not cached, and neither is a value larger than `maxSize`.
 */
export class ComputedCache<Value extends NonNullable<unknown>> {
  readonly #cache: LRUCache<string, Value, Compute<Value>>
  /** `onEvict` is called with values that are evicted because the cache is full. */
  constructor(limit: Limit<Value>, onEvict?: (key: string, value: Value) => void) {
    const limits =
      'max' in limit ? { max: limit.max } : { maxSize: limit.maxSize, sizeCalculation: limit.getSize }
    this.#cache = new LRUCache<string, Value, Compute<Value>>({
      ...limits,
      dispose: (value, key, reason) => {
        if (reason === 'evict') onEvict?.(key, value)
      },
      // If its key is evicted in the meantime, the waiting calls still get the computed value.
      ignoreFetchAbort: true,
      fetchMethod: (_key, _stale, { context: compute }) => compute(),
    })
  }

  get(key: string, compute: Compute<Value>): Promise<Value> {
    return this.#cache.forceFetch(key, { context: compute })
  }

  /** Stores a value that was computed elsewhere. */
  set(key: string, value: Value): void {
    this.#cache.set(key, value)
  }

  /** Returns the computed entries, least recently used first. */
  entries(): [string, Value][] {
    return [...this.#cache.entries()].toReversed()
  }
}
