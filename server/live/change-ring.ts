/** How many of the latest changes are stored, so that interrupted streams can resume. */
export const ringSize = 200_000

/**
 * The first change number of a process is the time in milliseconds times this. No process makes that many
 * changes per millisecond, so the numbers of a later process are always higher.
 */
export const numbersPerMs = 1000

/**
 * A ring buffer of the handles of changed vehicles. Changes are numbered consecutively; the oldest are
 * overwritten.
 */
export class ChangeRing {
  readonly #handles: Int32Array
  readonly #first: number
  #last: number

  /** `first` must be higher than any number of an earlier process, so that numbers are never reused. */
  constructor(first: number, size = ringSize) {
    this.#handles = new Int32Array(size)
    this.#first = first
    this.#last = first
  }

  get last(): number {
    return this.#last
  }

  add(handle: number): void {
    this.#last += 1
    this.#handles[this.#last % this.#handles.length] = handle
  }

  /**
   * Handles of the vehicles that changed after a change number; null if the buffer does not cover all changes
   * since.
   */
  since(after: number): Set<number> | null {
    if (after > this.#last || after < this.#first || after < this.#last - this.#handles.length) return null
    const changed = new Set<number>()
    for (let number = after + 1; number <= this.#last; number++)
      changed.add(this.#handles[number % this.#handles.length]!)
    return changed
  }
}
