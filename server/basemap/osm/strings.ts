import type { WireReader } from './wire-reader.ts'

/** The tags of a map object: values by key. */
export type Tags = ReadonlyMap<string, string>

/** The strings of a block, decoded on first use. */
export class Strings {
  readonly #bytes: Uint8Array[] = []
  readonly #texts: (string | undefined)[] = []
  constructor(table: WireReader) {
    for (let field = table.readField(); field !== 0; field = table.readField()) {
      if (field === 1) this.#bytes.push(table.readSlice())
      else table.skip()
    }
  }

  /** Returns the string at an index of the table; empty if missing. */
  get(index: number): string {
    const decodedText = this.#texts[index]
    if (decodedText !== undefined) return decodedText
    const bytes = this.#bytes[index]
    const text = bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8') : ''
    if (bytes) this.#texts[index] = text
    return text
  }

  /** Returns the tags with these indexes of keys and values. */
  getTags(keys: readonly number[], values: readonly number[]): Tags {
    return new Map(keys.map((key, index) => [this.get(key), this.get(values[index] ?? -1)]))
  }
}
