/** Numbers in one block of memory that grows; eight bytes each. */
export class GrowingList {
  #values = new Float64Array(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#length++] = value
  }

  /** What is there, without a copy; valid until the next push. */
  view(): Float64Array {
    return this.#values.subarray(0, this.#length)
  }
}
