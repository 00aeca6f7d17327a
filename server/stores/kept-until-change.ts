import type { Changes } from './changes.ts'
import { Recent } from './recent.ts'

interface Kept<Value> {
  value: Promise<Value>
  /** What of the tables had been written when it was asked for. */
  change: number
  /** Ms since 1970. */
  until: number
}

interface Keeping {
  changes: Changes
  /** Whatever the values are made of: a change of one of these ends them at once. */
  tables: readonly string[]
  /** What a hand writes into the database past this server is seen after so many ms. */
  forMs: number
  most: number
  now: () => number
}

/** Values read from the state store, by key, kept until what they are made of changes, and no longer than some seconds. Nothing found is not kept. */
export class KeptUntilChange<Value> {
  readonly #keeping: Keeping
  readonly #values: Recent<Kept<Value>>
  constructor(keeping: Keeping) {
    this.#keeping = keeping
    this.#values = new Recent(keeping.most)
  }

  get(key: string, read: () => Promise<Value>): Promise<Value> {
    const { changes, tables, forMs, now } = this.#keeping
    const change = changes.of(tables)
    const kept = this.#values.get(key)
    if (kept?.change === change && now() < kept.until) return kept.value
    const made: Kept<Value> = { value: read(), change, until: now() + forMs }
    this.#values.set(key, made)
    const forget = (): void => {
      if (this.#values.get(key) === made) this.#values.delete(key)
    }
    made.value.then((value) => {
      if (value === null) forget()
    }, forget)
    return made.value
  }
}
