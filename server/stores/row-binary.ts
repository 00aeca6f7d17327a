/** Encodes rows in ClickHouse's RowBinary format, as text would take most of the time of building an index. */
export class BinaryRows {
  #bytes = Buffer.allocUnsafeSlow(1 << 16)
  #length = 0

  /** Reserves `size` more bytes and returns their offset. */
  #reserve(size: number): number {
    const offset = this.#length
    this.#length += size
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.#length, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, offset)
      this.#bytes = larger
    }
    return offset
  }
  uint8(value: number): this {
    // First the offset: reserving may replace the buffer.
    const offset = this.#reserve(1)
    this.#bytes[offset] = value
    return this
  }
  uint32(value: number): this {
    const offset = this.#reserve(4)
    this.#bytes.writeUInt32LE(value, offset)
    return this
  }
  uint64(value: number): this {
    return this.uint32(value >>> 0).uint32(Math.floor(value / 2 ** 32))
  }
  float64(value: number): this {
    const offset = this.#reserve(8)
    this.#bytes.writeDoubleLE(value, offset)
    return this
  }
  string(value: string): this {
    const bytes = Buffer.from(value)
    this.#varint(bytes.length)
    const offset = this.#reserve(bytes.length)
    this.#bytes.set(bytes, offset)
    return this
  }
  array(values: Uint32Array | Float64Array): this {
    this.#varint(values.length)
    const offset = this.#reserve(values.byteLength)
    this.#bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), offset)
    return this
  }
  /** Appends a length in groups of seven bits; the eighth bit is set if another group follows. */
  #varint(value: number): void {
    let remaining = value
    for (; remaining >= 128; remaining = Math.floor(remaining / 128)) this.uint8((remaining % 128) | 128)
    this.uint8(remaining)
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
}
