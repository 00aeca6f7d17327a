import { OsmFileError } from './osm-file-error.ts'

const broken = (): OsmFileError =>
  new OsmFileError('The file is damaged: a length in it reaches beyond its end.')
const two28 = 2 ** 28

/** A 64-bit number from its 28 low bits, the next 28 and the highest. */
function joined([low, middle, high]: [number, number, number]): number {
  if ((high & 128) === 0) return low + middle * two28 + high * two28 * two28
  return -(two28 - 1 - low + (two28 - 1 - middle) * two28 + (255 - (high & 255)) * two28 * two28 + 1)
}

/** Reads protocol buffers; never beyond the bytes, whatever the lengths. */
export class WireReader {
  readonly #bytes: Uint8Array
  readonly #end: number
  #at: number
  #wire = 0
  constructor(bytes: Uint8Array, from = 0, end = bytes.length) {
    this.#bytes = bytes
    this.#at = from
    this.#end = end
  }

  get isDone(): boolean {
    return this.#at >= this.#end
  }

  /** Number of the next field; 0 at the end. Its value must be read or skipped. */
  field(): number {
    if (this.isDone) return 0
    const key = this.varint()
    this.#wire = key % 8
    const field = Math.floor(key / 8)
    if (field === 0) throw new OsmFileError('The file is damaged: there is a field without a number.')
    return field
  }

  /** An unsigned number; those of 64 bits lose precision beyond 2^53. */
  varint(): number {
    const bytes = this.#bytes
    let low = 0
    for (let shift = 0; shift < 28; shift += 7) {
      if (this.#at >= this.#end) throw broken()
      const byte = bytes[this.#at++]!
      low += (byte & 127) << shift
      if (byte < 128) return low
    }
    let value = low
    for (let factor = 2 ** 28; factor <= 2 ** 63; factor *= 128) {
      if (this.#at >= this.#end) throw broken()
      const byte = bytes[this.#at++]!
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
    throw new OsmFileError('The file is damaged: there is a number longer than 64 bits.')
  }

  /** A signed number in zigzag encoding. */
  zigzag(): number {
    const value = this.varint()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  /** A signed number in two's complement; a small negative one has the maximum length, and must not lose precision. */
  int64(): number {
    const parts: [number, number, number] = [0, 0, 0]
    for (let at = 0; at < 10; at++) {
      if (this.#at >= this.#end) throw broken()
      const byte = this.#bytes[this.#at++]!
      parts[at >> 2]! += (byte & 127) << (7 * (at & 3))
      if (byte < 128) return joined(parts)
    }
    throw new OsmFileError('The file is damaged: there is a number longer than 64 bits.')
  }

  /** Bytes as they are in the file, without a copy. */
  slice(): Uint8Array {
    const [from, end] = this.#span()
    return this.#bytes.subarray(from, end)
  }

  /** An embedded message or a packed list. */
  inner(): WireReader {
    const [from, end] = this.#span()
    return new WireReader(this.#bytes, from, end)
  }

  text(): string {
    return Buffer.from(this.slice()).toString('utf8')
  }

  skip(): void {
    if (this.#wire === 0) this.varint()
    else if (this.#wire === 2) this.#span()
    else if (this.#wire === 1 || this.#wire === 5) this.#step(this.#wire === 1 ? 8 : 4)
    else throw new OsmFileError('The file is damaged: it holds a value of an unknown kind.')
  }

  #span(): [from: number, end: number] {
    if (this.#wire !== 2) throw new OsmFileError('The file is damaged: a number is in the place of a list.')
    const length = this.varint()
    const from = this.#at
    this.#step(length)
    return [from, this.#at]
  }

  #step(bytes: number): void {
    if (bytes > this.#end - this.#at) throw broken()
    this.#at += bytes
  }
}
