import type { TableChanges } from './changes.ts'
import { LruCache } from './lru-cache'

interface CacheEntry<Value> {
  value: Promise<Value>
  /** What of the tables had been written when it was asked for. */
  changeCount: number
  /** Ms since 1970. */
  expiresAt: number
}

interface CacheOptions {
  changes: TableChanges
  /** Whatever the values are made of: a change of one of these ends them at once. */
  tables: readonly string[]
  /** What a hand writes into the database past this server is seen after so many ms. */
  ttlMs: number
  maxEntries: number
  now: () => number
}

/** Values read from the state store, by key, kept until what they are made of changes, and no longer than some seconds. Nothing found is not kept. */
export class InvalidatingCache<Value> {
  readonly #options: CacheOptions
  readonly #entries: LruCache<CacheEntry<Value>>
  constructor(keeping: CacheOptions) {
    this.#options = keeping
    this.#entries = new LruCache(keeping.maxEntries)
  }

  get(key: string, read: () => Promise<Value>): Promise<Value> {
    const { changes, tables, ttlMs: forMs, now } = this.#options
    const change = changes.countFor(tables)
    const kept = this.#entries.get(key)
    if (kept?.changeCount === change && now() < kept.expiresAt) return kept.value
    const made: CacheEntry<Value> = { value: read(), changeCount: change, expiresAt: now() + forMs }
    this.#entries.set(key, made)
    const forget = (): void => {
      if (this.#entries.get(key) === made) this.#entries.delete(key)
    }
    made.value.then((value) => {
      if (value === null) forget()
    }, forget)
    return made.value
  }
}
