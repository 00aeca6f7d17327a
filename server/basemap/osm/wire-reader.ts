import { OsmFileError } from './osm-file-error.ts'

const makeBeyondEndError = (): OsmFileError =>
  new OsmFileError('The file is damaged: a length in it reaches beyond its end.')
const two28 = 2 ** 28

/** Returns a signed 64-bit number from its 28 lowest bits, the next 28 bits and the 8 highest bits. */
function joinInt64([low, middle, high]: [number, number, number]): number {
  const isNegative = (high & 128) !== 0
  if (!isNegative) return low + middle * two28 + high * two28 * two28
  // Two's complement: the inverted bits plus one. Each part is inverted by itself: small numbers stay exact.
  return -(two28 - 1 - low + (two28 - 1 - middle) * two28 + (255 - (high & 255)) * two28 * two28 + 1)
}

/** Reads the protocol buffers encoding. @throws OsmFileError instead of reading beyond the end. */
export class WireReader {
  readonly #bytes: Uint8Array
  readonly #end: number
  #position: number
  /** The wire type of the current field: 0 varint, 1 eight bytes, 2 bytes with a length, 5 four bytes. */
  #wireType = 0
  constructor(bytes: Uint8Array, from = 0, end = bytes.length) {
    this.#bytes = bytes
    this.#position = from
    this.#end = end
  }

  get isDone(): boolean {
    return this.#position >= this.#end
  }

  /** Reads the number of the next field, 0 at the end. The caller must then read or skip its value. */
  readField(): number {
    if (this.isDone) return 0
    const key = this.readVarint()
    this.#wireType = key % 8
    const field = Math.floor(key / 8)
    if (field === 0) throw new OsmFileError('The file is damaged: there is a field without a number.')
    return field
  }

  /** Reads an unsigned number; those of 64 bits lose precision beyond 2^53. */
  readVarint(): number {
    const bytes = this.#bytes
    let low = 0
    for (let shift = 0; shift < 28; shift += 7) {
      if (this.#position >= this.#end) throw makeBeyondEndError()
      const byte = bytes[this.#position++]!
      low += (byte & 127) << shift
      if (byte < 128) return low
    }
    let value = low
    for (let factor = 2 ** 28; factor <= 2 ** 63; factor *= 128) {
      if (this.#position >= this.#end) throw makeBeyondEndError()
      const byte = bytes[this.#position++]!
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
    throw new OsmFileError('The file is damaged: there is a number longer than 64 bits.')
  }

  /** Reads a signed number in zigzag encoding. */
  readZigzag(): number {
    const value = this.readVarint()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  /**
   * Reads a signed number in two's complement. A small negative number has all 64 bits, more than the 53 of a
   * JavaScript number, and must be exact nevertheless.
   */
  readInt64(): number {
    const parts: [number, number, number] = [0, 0, 0]
    for (let index = 0; index < 10; index++) {
      if (this.#position >= this.#end) throw makeBeyondEndError()
      const byte = this.#bytes[this.#position++]!
      parts[index >> 2]! += (byte & 127) << (7 * (index & 3))
      if (byte < 128) return joinInt64(parts)
    }
    throw new OsmFileError('The file is damaged: there is a number longer than 64 bits.')
  }

  /** Reads the bytes of a field, without a copy. */
  readSlice(): Uint8Array {
    const [from, end] = this.#span()
    return this.#bytes.subarray(from, end)
  }

  /** Reads an embedded message or a packed list. */
  readInner(): WireReader {
    const [from, end] = this.#span()
    return new WireReader(this.#bytes, from, end)
  }

  readText(): string {
    return Buffer.from(this.readSlice()).toString('utf8')
  }

  skip(): void {
    if (this.#wireType === 0) this.readVarint()
    else if (this.#wireType === 2) this.#span()
    else if (this.#wireType === 1 || this.#wireType === 5) this.#step(this.#wireType === 1 ? 8 : 4)
    else throw new OsmFileError('The file is damaged: it contains a value of an unknown kind.')
  }

  #span(): [from: number, end: number] {
    if (this.#wireType !== 2)
      throw new OsmFileError('The file is damaged: a number is in the place of a list.')
    const length = this.readVarint()
    const from = this.#position
    this.#step(length)
    return [from, this.#position]
  }

  #step(bytes: number): void {
    if (bytes > this.#end - this.#position) throw makeBeyondEndError()
    this.#position += bytes
  }
}
