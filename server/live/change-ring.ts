/** The latest changes, for streams that resume. */
export const ringSize = 200_000

/** Numbers of changes start with the clock's milliseconds times this: more than can occur in a millisecond, so that later processes have higher numbers. */
export const numbersPerMs = 1000

/** Which vehicles changed, one number a change. The oldest are forgotten. */
export class ChangeRing {
  readonly #handles: Int32Array
  readonly #first: number
  #at: number

  /** `first` must be higher than any number of an earlier process, so that numbers are never reused. */
  constructor(first: number, size = ringSize) {
    this.#handles = new Int32Array(size)
    this.#first = first
    this.#at = first
  }

  /** The number of the last change. */
  get at(): number {
    return this.#at
  }

  add(handle: number): void {
    this.#at += 1
    this.#handles[this.#at % this.#handles.length] = handle
  }

  /** The vehicles that changed after a number, each once; null where that is not known any more, or never was. */
  since(after: number): Set<number> | null {
    if (after > this.#at || after < this.#first || after < this.#at - this.#handles.length) return null
    const changed = new Set<number>()
    for (let at = after + 1; at <= this.#at; at++) changed.add(this.#handles[at % this.#handles.length]!)
    return changed
  }
}
