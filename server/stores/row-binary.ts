/** Rows in ClickHouse's RowBinary format: copied bytes, where text would take most of the time in which an index is made. */
export class BinaryRows {
  #bytes = Buffer.allocUnsafeSlow(1 << 16)
  #length = 0

  /** Makes room for `size` more bytes and returns where they go. */
  #grow(size: number): number {
    const from = this.#length
    this.#length += size
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.#length, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, from)
      this.#bytes = larger
    }
    return from
  }
  uint8(value: number): this {
    const at = this.#grow(1)
    this.#bytes[at] = value
    return this
  }
  uint32(value: number): this {
    const at = this.#grow(4)
    this.#bytes.writeUInt32LE(value, at)
    return this
  }
  uint64(value: number): this {
    return this.uint32(value >>> 0).uint32(Math.floor(value / 2 ** 32))
  }
  float64(value: number): this {
    const at = this.#grow(8)
    this.#bytes.writeDoubleLE(value, at)
    return this
  }
  string(value: string): this {
    const bytes = Buffer.from(value)
    this.#varint(bytes.length)
    const at = this.#grow(bytes.length)
    this.#bytes.set(bytes, at)
    return this
  }
  array(values: Uint32Array | Float64Array): this {
    this.#varint(values.length)
    const at = this.#grow(values.byteLength)
    this.#bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at)
    return this
  }
  #varint(value: number): void {
    let rest = value
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.uint8((rest % 128) | 128)
    this.uint8(rest)
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
}
