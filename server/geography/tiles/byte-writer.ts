/** Bytes of a protocol buffer, as far as vector tiles need them. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  #room(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const wider = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more))
    this.#bytes.copy(wider, 0, 0, this.#length)
    this.#bytes = wider
  }

  /** A whole number from 0 up to 2^32. */
  whole(value: number): void {
    this.#room(5)
    let rest = value
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = (rest & 0x7f) | 0x80
    this.#bytes[this.#length++] = rest
  }

  number(field: number, value: number): void {
    this.whole(field << 3)
    this.whole(value)
  }

  text(field: number, value: string): void {
    const size = Buffer.byteLength(value)
    this.whole((field << 3) | 2)
    this.whole(size)
    this.#room(size)
    this.#length += this.#bytes.write(value, this.#length)
  }

  /** What another writer holds. */
  part(field: number, other: ByteWriter): void {
    this.whole((field << 3) | 2)
    this.whole(other.#length)
    this.#room(other.#length)
    other.#bytes.copy(this.#bytes, this.#length, 0, other.#length)
    this.#length += other.#length
  }

  /** Begins anew, with the room it has. */
  clear(): void {
    this.#length = 0
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
}
