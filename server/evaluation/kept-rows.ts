/** What an answer weighs beside its rows. */
const base = 100

interface Kept<Row> {
  rows: Promise<Row[]>
  /** 0 while it is made. */
  weight: number
}

/** Rows of the answers that were asked for last, at most so many rows together. */
export class KeptRows<Row> {
  readonly #kept = new Map<string, Kept<Row>>()
  readonly #most: number
  #weight = 0
  constructor(most: number) {
    this.#most = most
  }

  get(key: string): Promise<Row[]> | undefined {
    const found = this.#kept.get(key)
    if (!found) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, found)
    return found.rows
  }

  /** Two askers at once share one making; a failed one is forgotten. */
  getOrMake(key: string, make: () => Promise<Row[]>): Promise<Row[]> {
    const there = this.get(key)
    if (there) return there
    const made: Kept<Row> = { rows: make(), weight: 0 }
    this.#kept.set(key, made)
    made.rows.then(
      (rows) => this.#weigh(key, made, rows.length + base),
      () => this.#drop(key, made),
    )
    return made.rows
  }

  #weigh(key: string, made: Kept<Row>, weight: number): void {
    if (this.#kept.get(key) !== made) return
    made.weight = weight
    this.#weight += weight
    for (const [oldest, old] of this.#kept) {
      if (this.#weight <= this.#most) break
      if (old.weight) this.#drop(oldest, old)
    }
  }

  #drop(key: string, made: Kept<Row>): void {
    if (this.#kept.get(key) !== made) return
    this.#kept.delete(key)
    this.#weight -= made.weight
  }
}
