/** How many of the latest changes are stored, so that interrupted streams can resume. */
export const ringSize = 200_000

/** The first change number of a process is the time (ms) times this, so later processes have higher ones. */
export const numbersPerMs = 1000

/** A ring buffer of handles of changed vehicles. Changes are numbered; the oldest are overwritten. */
export class ChangeRing {
  readonly #handles: Int32Array
  readonly #first: number
  #last: number

  /** @param first higher than any number of an earlier process, so that numbers are never reused. */
  constructor(first: number, size = ringSize) {
    this.#handles = new Int32Array(size)
    this.#first = first
    this.#last = first
  }

  /** The number of the last change. */
  get last(): number {
    return this.#last
  }

  add(handle: number): void {
    this.#last += 1
    this.#handles[this.#last % this.#handles.length] = handle
  }

  /** Returns handles of vehicles that changed after a number; null if the oldest of these are gone. */
  getSince(after: number): Set<number> | null {
    if (after > this.#last || after < this.#first || after < this.#last - this.#handles.length) return null
    const handles = new Set<number>()
    for (let change = after + 1; change <= this.#last; change++)
      handles.add(this.#handles[change % this.#handles.length]!)
    return handles
  }
}
